use std::cell::RefCell;
use std::collections::HashSet;

use serde::de::value::{Error, StrDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

/// Which value of a type a client is made to write.
#[derive(Clone, Copy, PartialEq)]
pub enum Form {
    /// Everything unset: no texts, no elements, nothing where something is optional.
    Empty,
    /// Texts and numbers where they are required, and nothing else.
    Bare,
    /// The same, one element in every list, and every optional object, so that nested objects are written too.
    One,
}

/// A value of any type that can be read from JSON, without JSON: the crate offers no `Default`.
pub fn value_of<T: DeserializeOwned>(form: Form, organization_id: &str) -> Result<T, Error> {
    let objects = RefCell::new(HashSet::new());
    if form == Form::One {
        // The first reading fills every optional field, to learn which of them hold objects.
        T::deserialize(Filler { form, organization_id, objects: &objects, at: String::new(), learning: true })?;
    }
    T::deserialize(Filler { form, organization_id, objects: &objects, at: String::new(), learning: false })
}

struct Filler<'a> {
    form: Form,
    /// A caller always says which organization it is about.
    organization_id: &'a str,
    /// Where there are objects, as paths of field names.
    objects: &'a RefCell<HashSet<String>>,
    at: String,
    learning: bool,
}

const DEEPEST: usize = 12;
const ID: &str = "00000000-0000-4000-8000-000000000001";

impl Filler<'_> {
    fn inside(&self, name: &str) -> Self {
        Filler { at: format!("{}.{name}", self.at), ..*self }
    }

    fn text(&self) -> &str {
        match self.form {
            _ if self.at == ".organizationId" => self.organization_id,
            Form::Empty => "",
            _ if self.at.ends_with("Id") || self.at.contains("Ids.") => ID,
            _ => "1",
        }
    }
}

impl<'de> Deserializer<'de> for Filler<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_str(self.text())
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let filled = self.form == Form::One && (self.learning || self.objects.borrow().contains(&self.at));
        if filled { visitor.visit_some(self) } else { visitor.visit_none() }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_bool(false)
    }

    fn deserialize_i32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_i32((self.form != Form::Empty).into())
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_i64((self.form != Form::Empty).into())
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_u32((self.form != Form::Empty).into())
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_u64((self.form != Form::Empty).into())
    }

    fn deserialize_u8<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_u8((self.form != Form::Empty).into())
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_str(self.text())
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_str(self.text())
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let left = usize::from(self.form == Form::One);
        visitor.visit_seq(Elements { filler: self, left })
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        // A struct that has a choice among its fields does not tell their names. Requests hold one: an OAuth provider.
        let names: &[&str] = if self.form == Form::One { &["providerName", "oidcToken"] } else { &[] };
        visitor.visit_map(Fields { filler: self, names: names.iter(), name: "" })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if self.at.matches('.').count() > DEEPEST {
            return Err(serde::de::Error::custom(format!("{} holds itself", self.at)));
        }
        self.objects.borrow_mut().insert(self.at.clone());
        visitor.visit_map(Fields { filler: self, names: names.iter(), name: "" })
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        // The first is the one that says "unspecified".
        let chosen = variants.get(usize::from(self.form != Form::Empty)).or(variants.first());
        visitor.visit_enum(Variant { name: chosen.copied().unwrap_or_default(), filler: self })
    }

    forward_to_deserialize_any! {
        i8 i16 i128 u16 u128 f32 f64 char bytes byte_buf unit unit_struct tuple tuple_struct identifier ignored_any
    }
}

struct Elements<'a> {
    filler: Filler<'a>,
    left: usize,
}

impl<'de> SeqAccess<'de> for Elements<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        seed.deserialize(self.filler.inside("")).map(Some)
    }
}

struct Fields<'a> {
    filler: Filler<'a>,
    names: std::slice::Iter<'static, &'static str>,
    name: &'static str,
}

impl<'de> MapAccess<'de> for Fields<'_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let Some(name) = self.names.next() else { return Ok(None) };
        self.name = name;
        seed.deserialize(StrDeserializer::new(name)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        seed.deserialize(self.filler.inside(self.name))
    }
}

struct Variant<'a> {
    name: &'static str,
    filler: Filler<'a>,
}

impl<'de, 'a> EnumAccess<'de> for Variant<'a> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Error> {
        let chosen = seed.deserialize(StrDeserializer::new(self.name))?;
        Ok((chosen, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(self.filler.inside(self.name))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Error> {
        Err(serde::de::Error::custom("a tuple is no part of a request"))
    }

    fn struct_variant<V: Visitor<'de>>(self, names: &'static [&'static str], visitor: V) -> Result<V::Value, Error> {
        self.filler.deserialize_struct(self.name, names, visitor)
    }
}
