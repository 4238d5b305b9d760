//! Examples below the help of the commands.

pub const RUN: &str = "\
Examples:
  linkwork run fourbar_fixed --set drive=1 --time 5
  linkwork run robot.xml --key home --ctrl left-knee=0.5 --out run.csv
  linkwork run robot.xml --out forces.csv --columns knee.angle.effort,knee.angle.limit_effort,foot.contact_z
  linkwork run robot.xml --script stand.txt --record run.lwrec --time 2
  linkwork run robot.urdf --floating --track 0.2 --view";

pub const CHECK: &str = "\
Examples:
  linkwork check slider_crank
  linkwork check robot.xml                # actuators, sensors and stored states by name, what is odd or ignored
  linkwork check robot.urdf --fix         # an assembled copy: robot.fixed.linkwork.toml";

pub const VIEW: &str = "\
Examples:
  linkwork view run.lwrec
  linkwork view robot.xml --key home --open
  linkwork view fourbar_fixed --set drive=1 --dt 0.0005";

pub const EXPORT: &str = "\
Examples:
  linkwork export run.lwrec --html run.html --from 2 --to 5
  linkwork export robot.xml --ctrl knee=0.5 --time 3 --html robot.html";

pub const SHOT: &str = "\
Examples:
  linkwork shot run.lwrec --at 1.2 --out a.png --show trails,cones
  linkwork shot clutter --at 2.5 --out heap.png --size 1600x1000 --theme dark
  linkwork shot robot.xml --key home --at 0 --out head.png --camera head
  linkwork shot robot.xml --key home --at 0 --out foot.png --follow left_foot --view front";

pub const FILM: &str = "\
Examples:
  linkwork film run.lwrec --out run.webm
  linkwork film fourbar_fixed --set drive=1 --time 4 --out fourbar.webm --theme dark --show trails
  linkwork film run.lwrec --from 1.2 --to 1.4 --speed 0.05 --out impact.webm      # slow motion
  linkwork film robot.xml --key home --time 3 --out robot.webm --follow torso
  linkwork film robot.xml --key home --time 3 --out head.webm --camera head
  linkwork film robot.xml --key home --time 3 --out robot.png --size 640x400     # animated PNG
  linkwork film run.lwrec --out frames                                           # frames/frame_00001.png, ...";

pub const RESUME: &str = "\
Examples:
  linkwork resume run.lwrec --time 10
  linkwork resume run.lwrec --at 3 --time 5 --record on.lwrec";

pub const PLOT: &str = "\
Examples:
  linkwork plot run.lwrec --y closure_error,energy
  linkwork plot run.lwrec --y left-foot.contact_force,right-foot.contact_force --out feet.png
  linkwork plot run.lwrec --y \"control knee,sensor imu.z\" --from 1 --to 2";

pub const SOLVE: &str = "\
Examples:
  linkwork run clutter --time 2 --dump problems --dump-every 40
  linkwork solve problems --solver condensed,condensed-ccp,admm-ncp-sa --limit 1
  linkwork solve fclib/*.hdf5 --solver all --limit 10 --csv all.csv --profile all.svg";

pub const CONVERT: &str = "\
Examples:
  linkwork convert robot.xml robot.linkwork.toml
  linkwork convert slider_crank slider_crank.urdf";

pub const CSV: &str = "\
Examples:
  linkwork record csv run.lwrec --y energy,contacts --every 10
  linkwork record csv run.lwrec --y \"sensor imu.z,left-foot.contact_z\" --from 1 --to 2 --out imu.csv";

pub const INVERSE: &str = "\
Examples:
  linkwork inverse run.lwrec
  linkwork inverse run.lwrec --csv forces.csv";

pub const REPLAY: &str = "\
Examples:
  linkwork replay /tmp/linkwork-replay-1234.lwrec    # the file that `linkwork run` prints when a step fails";

pub const HASH: &str = "\
Examples:
  linkwork hash fourbar_fixed --steps 1000
  linkwork hash clutter --threads 4                  # the same hash as with one thread";

pub const CAMPAIGN: &str = "\
Examples:
  linkwork campaign --count 100 --steps 500 --seed 7
  linkwork campaign --count 2000 --dt 5e-3 --no-minimise";

pub const BENCH: &str = "\
Examples:
  linkwork bench --quick                             # within five minutes; without --quick within an hour
  linkwork bench paper castro-grasp
  linkwork bench speed --sizes heap=20,40,80 --repeats 1";

pub const COMPLETIONS: &str = "\
Examples:
  linkwork completions bash > ~/.local/share/bash-completion/completions/linkwork
  linkwork completions zsh > ~/.zfunc/_linkwork
  linkwork completions fish > ~/.config/fish/completions/linkwork.fish";

pub const MAN: &str = "\
Examples:
  linkwork man ~/.local/share/man/man1 && man linkwork-run";
