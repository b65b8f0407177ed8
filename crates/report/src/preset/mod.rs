//! The texts of other tools.
#![allow(dead_code)]

mod crystaldiskmark;
mod dd;
mod gnome_disks;
mod hdparm;
mod hdtune;
mod printf;
mod winsat;
mod yabs;
