import { readAll, readNested, readVarint, skip, wireOf } from './input.ts';
import { prependByte, prependNested, prependVarint } from './output.ts';
import { type Codec, tagOf, textCodec } from './values.ts';

/**
 * Creates the codec of a type that is a schema or something else: `JSONSchemaPropsOrArray` and others (apiextensions/v1, 1.36). Undefined for
 * other types.
 */
export function createSchemaUnionCodec(go: string, createSchemaCodec: () => Codec): Codec | undefined {
  const create = Object.hasOwn(unions, go) ? unions[go] : undefined;
  return create?.(createSchemaCodec());
}

const unions: Readonly<Record<string, (schema: Codec) => Codec>> = {
  'v1.JSONSchemaPropsOrArray': (schema) => createSchemaOrListCodec(schema, schema),
  'v1.JSONSchemaPropsOrBool': createSchemaOrBoolCodec,
  'v1.JSONSchemaPropsOrStringArray': (schema) => createSchemaOrListCodec(schema, textCodec),
};

/** The message has a schema, or items in the second field. */
function createSchemaOrListCodec(schema: Codec, item: Codec): Codec {
  const [schemaTag, itemTag] = [tagOf(1, 2), tagOf(2, 2)];
  return {
    wire: 2,
    zero: undefined,
    read(input) {
      let value: unknown;
      const items: unknown[] = [];
      const readField = (): void => {
        const tag = readVarint(input);
        if (tag === schemaTag) value = schema.read(input);
        else if (tag === itemTag) items.push(item.read(input));
        else skip(input, wireOf(tag));
      };
      readNested(input, () => readAll(input, readField));
      return items.length > 0 ? items : value;
    },
    write: (output, value) =>
      prependNested(output, () => {
        if (value === undefined) return;
        const [codec, tag] = Array.isArray(value) ? [item, itemTag] : [schema, schemaTag];
        for (const each of Array.isArray(value) ? value.toReversed() : [value]) {
          codec.write(output, each);
          prependVarint(output, tag);
        }
      }),
  };
}

/** The message has a boolean, which is true if there is a schema in the second field. */
function createSchemaOrBoolCodec(schema: Codec): Codec {
  const [allowsTag, schemaTag] = [tagOf(1, 0), tagOf(2, 2)];
  return {
    wire: 2,
    zero: false,
    read(input) {
      let value: unknown;
      let allows = false;
      const readField = (): void => {
        const tag = readVarint(input);
        if (tag === allowsTag) allows = readVarint(input) !== 0;
        else if (tag === schemaTag) value = schema.read(input);
        else skip(input, wireOf(tag));
      };
      readNested(input, () => readAll(input, readField));
      return value ?? allows;
    },
    write: (output, value) =>
      prependNested(output, () => {
        if (typeof value === 'object') {
          schema.write(output, value);
          prependVarint(output, schemaTag);
        }
        prependByte(output, value ? 1 : 0);
        prependVarint(output, allowsTag);
      }),
  };
}
