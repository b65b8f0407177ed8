//! Enums whose variants have a name that is stored, printed and asked for.

/// Declares such an enum: each variant with its name, which serde takes too.
macro_rules! named_enum {
    ($(#[$meta:meta])* pub enum $Enum:ident {
        $($(#[$variant_meta:meta])* $Variant:ident = $name:literal,)+
    }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[derive(serde::Serialize, serde::Deserialize, units::JsonSchema)]
        pub enum $Enum {
            $($(#[$variant_meta])* #[serde(rename = $name)] $Variant,)+
        }

        impl $Enum {
            /// In the order of the declaration.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$Variant),+];

            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$Variant => $name,)+
                }
            }
        }
    };
}
pub(crate) use named_enum;
