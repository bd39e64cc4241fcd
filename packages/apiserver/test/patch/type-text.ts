import { type Atom, deducedType, type Field, inlineType, type MapAtom, type TypeRef, untyped } from '../../src/patch/types/type.ts';

/**
 * Parses types. An unindented line names a type; "atomic" after the name makes it a single value. The indented lines below it list
 * its fields as `name:type`, where a type is
 *
 *     s n b u          a string, a number, a boolean, any scalar        any, deduced     any value (see type.ts)
 *     Name             a type of the table                              !Name            the same, as a single value
 *     []T  {!}T        a list or map that is a single value             {}T              a map, merged key by key
 *     [set]T           a set                                            [a,b]T           a list whose items are identified by a and b
 *
 * A leading `*` marks a pointer. `|strategies|mergeKey` of strategic merge patches and `=default` of a list key may follow.
 */
export function parseTypes(...texts: readonly string[]): ReadonlyMap<string, TypeRef> {
  const types = new Map<string, TypeRef>();
  for (const block of texts.join('\n').split(/\n(?=\S)/)) {
    const [head = '', ...lines] = block.trim().split('\n');
    const [name = '', atomic] = head.split(' ');
    const words = lines.flatMap((line) => line.trim().split(' '));
    const fields = new Map(words.map((word) => parseWord(word, types)));
    types.set(name, namedType(name, { map: { fields, atomic: atomic === 'atomic' } }));
  }
  return types;
}

type Types = ReadonlyMap<string, TypeRef>;

function parseWord(word: string, types: Types): [name: string, field: Field] {
  const name = word.slice(0, word.indexOf(':'));
  return [name, { ...parseField(word.slice(name.length + 1), types), element: `f:${name}` }];
}

function parseField(text: string, types: Types): Field {
  const [, declaration = '', defaultText] = /^([^=]*)(?:=(.*))?$/.exec(text) ?? [];
  const [type = '', strategies, mergeKey] = declaration.split('|');
  return {
    type: parseType(type.replace(/^\*/, ''), types),
    ...(defaultText !== undefined && { default: JSON.parse(defaultText) }),
    ...(strategies !== undefined && { strategies: strategies.split(',') }),
    ...(mergeKey !== undefined && { mergeKey }),
    ...(type.startsWith('*') && { pointer: true }),
  };
}

function parseType(text: string, types: Types): TypeRef {
  const list = /^\[([^\]]*)\](.*)$/.exec(text);
  if (list) {
    const [, keys = '', element = ''] = list;
    return inlineType({
      list: { element: parseType(element, types), atomic: keys === '', keys: keys === '' || keys === 'set' ? [] : keys.split(',') },
    });
  }
  const map = /^\{(!?)\}(.*)$/.exec(text);
  if (map) return inlineType({ map: { fields: new Map(), element: parseType(map[2] ?? '', types), atomic: map[1] === '!' } });
  return text.startsWith('!') ? toAtomic(reference(text.slice(1), types)) : (simpleTypes.get(text) ?? reference(text, types));
}

const namedType = (name: string, atom: Atom): TypeRef => ({ name, resolve: () => atom });

/** A reference resolved at first use, because types may refer to later ones. */
function reference(name: string, types: Types): TypeRef {
  let atom: Atom | undefined;
  return {
    name,
    resolve() {
      atom ??= types.get(name)?.resolve();
      if (atom === undefined) throw new Error(`there is no type ${name}`);
      return atom;
    },
  };
}

const toAtomic = (type: TypeRef): TypeRef => ({
  name: type.name,
  resolve: () => ({ map: { ...(type.resolve().map as MapAtom), atomic: true } }),
});

const simpleTypes: ReadonlyMap<string, TypeRef> = new Map([
  ['s', inlineType({ scalar: 'string' })],
  ['n', inlineType({ scalar: 'numeric' })],
  ['b', inlineType({ scalar: 'boolean' })],
  ['u', { name: 'scalar', resolve: () => ({ scalar: 'untyped' }) }],
  ['any', untyped],
  ['deduced', deducedType],
]);
