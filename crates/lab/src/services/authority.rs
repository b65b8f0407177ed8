//! An authority that issues certificates, for as long as a test lasts; made with openssl.

use std::fs;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};

use crate::tools::run_tool;
use crate::{LabError, Result, Scratch};

/// Its private key and its certificate, in its folder.
const KEY: &str = "ca.key";
const CERTIFICATE: &str = "ca.pem";

/// Elliptic curve keys: made in a millisecond, and taken by every TLS library.
const NEW_KEY_ARGUMENTS: [&str; 5] =
    ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

/// Between which days a certificate holds. Explicit, so that one can be issued that is past.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Validity {
    /// From long ago until long after any test.
    Now,
    /// Until the end of 2020.
    Past,
}

#[derive(Debug)]
pub struct CertificateAuthority {
    scratch: Scratch,
}

#[derive(Debug, Clone)]
pub struct Certificate {
    /// The certificate, PEM.
    pub chain: PathBuf,
    /// Its private key, PEM.
    pub key: PathBuf,
}

impl CertificateAuthority {
    /// A new one. Fails when openssl is missing or refuses.
    pub fn new() -> Result<CertificateAuthority> {
        let authority = CertificateAuthority { scratch: Scratch::new()? };
        let (key, certificate) = (authority.word(KEY), authority.word(CERTIFICATE));
        let subject = ["-subj", "/CN=truedisk lab authority", "-days", "2"];
        let files = ["-keyout", &key, "-out", &certificate];
        let words = [&["req", "-x509"][..], &NEW_KEY_ARGUMENTS, &subject, &files];
        run_tool("openssl", words.concat())?;
        authority.write_file("index.txt", "")?;
        authority.write_file("serial", "01\n")?;
        authority.write_file("ca.conf", &ca_config(authority.scratch.path()))?;
        Ok(authority)
    }

    /// Its own certificate, which clients that trust it are given.
    pub fn certificate(&self) -> PathBuf {
        self.file_path(CERTIFICATE)
    }

    /// Issues a certificate for a server at these addresses; `name` is of its files.
    pub fn issue(
        &self,
        name: &str,
        addresses: &[Ipv4Addr],
        validity: Validity,
    ) -> Result<Certificate> {
        let file = |kind: &str| self.word(&format!("{name}.{kind}"));
        let (key, request, chain, extensions) =
            (file("key"), file("csr"), file("pem"), file("ext"));
        let subject = ["-subj", &format!("/CN={name}")];
        let files = ["-keyout", &key, "-out", &request];
        let words = [&["req", "-new"][..], &NEW_KEY_ARGUMENTS, &subject, &files];
        run_tool("openssl", words.concat())?;
        self.write_file(&format!("{name}.ext"), &extension_config(addresses))?;
        // As `openssl ca` takes them: `YYYYMMDDHHMMSSZ`.
        let until = match validity {
            Validity::Now => "20491231235959Z",
            Validity::Past => "20201231235959Z",
        };
        let dates = ["-startdate", "20200101000000Z", "-enddate", until];
        let settings = ["-config", &self.word("ca.conf"), "-extfile", &extensions];
        let files = ["-in", &request, "-out", &chain];
        let words = [&["ca", "-batch", "-notext"][..], &dates, &settings, &files];
        run_tool("openssl", words.concat())?;
        Ok(Certificate { chain: chain.into(), key: key.into() })
    }

    fn file_path(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    fn word(&self, name: &str) -> String {
        self.file_path(name).to_string_lossy().into_owned()
    }

    fn write_file(&self, name: &str, text: &str) -> Result<()> {
        let path = self.file_path(name);
        fs::write(&path, text).map_err(|e| LabError::io("write", &path, e))
    }
}

fn ca_config(folder: &Path) -> String {
    let folder = folder.display();
    format!(
        "[ca]\ndefault_ca = lab\n\
         [lab]\ndatabase = {folder}/index.txt\nserial = {folder}/serial\n\
         new_certs_dir = {folder}\ncertificate = {folder}/{CERTIFICATE}\n\
         private_key = {folder}/{KEY}\ndefault_md = sha256\npolicy = lab_policy\n\
         unique_subject = no\n\
         [lab_policy]\ncommonName = supplied\n"
    )
}

/// Clients of today look at these addresses, and not at the common name.
fn extension_config(addresses: &[Ipv4Addr]) -> String {
    let names: Vec<String> = addresses.iter().map(|address| format!("IP:{address}")).collect();
    format!(
        "basicConstraints = critical,CA:FALSE\nextendedKeyUsage = serverAuth\n\
         subjectAltName = {}\n",
        names.join(",")
    )
}
