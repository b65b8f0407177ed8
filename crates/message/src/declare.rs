//! How messages are declared.

use crate::argument::ArgumentKind;

/// A message that the program can say.
#[derive(Debug, Clone, Copy)]
pub struct Declared {
    pub id: &'static str,
    /// Names as in the struct, in snake case.
    pub arguments: &'static [(&'static str, ArgumentKind)],
}

/// Declares messages: a struct each, its id, and its arguments; and the list of all of them.
///
/// ```
/// message::messages! {
///     static MESSAGES;
///     NoBurst = "no-burst";
///     BurstEnded = "burst-ended" { after: units::Nanos, rate: units::Iops };
/// }
/// let message = message::Message::from(NoBurst {});
/// assert_eq!((message.id(), MESSAGES.len()), ("no-burst", 2));
/// ```
#[macro_export]
macro_rules! messages {
    (
        $(#[$list_meta:meta])*
        $vis:vis static $LIST:ident;
        $($(#[$meta:meta])* $Name:ident = $id:literal $({ $($field:ident: $Type:ty),* $(,)? })?;)*
    ) => {
        $(
            $(#[$meta])*
            $vis struct $Name { $($(pub $field: $Type,)*)? }

            impl From<$Name> for $crate::Message {
                fn from(message: $Name) -> Self {
                    let $Name { $($($field,)*)? } = message;
                    let arguments = [
                        $($((stringify!($field), $crate::IntoArgument::into_argument($field)),)*)?
                    ];
                    Self::new($id, arguments)
                }
            }
        )*

        $(#[$list_meta])*
        $vis static $LIST: &[$crate::Declared] = &[
            $($crate::Declared {
                id: $id,
                arguments: &[
                    $($((stringify!($field), <$Type as $crate::IntoArgument>::KIND),)*)?
                ],
            },)*
        ];
    };
}
