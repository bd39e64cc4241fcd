import type { Schema } from '../../../packages/apiserver/src/custom-resources/schema/schema.ts';
import { createRandom, type Random } from '../random.ts';

/** Rules of random types, for a schema with random limits. */
export interface CostCase {
  readonly id: string;
  readonly schema: Schema;
}

const rulesPerCase = 10;

export function* generateCosts(seed: number, count: number, from: number): Generator<CostCase> {
  for (let number = from; number < from + count; number++) {
    const random = createRandom(seed, number);
    const rules = Array.from({ length: rulesPerCase }, () => ({ rule: createExpression('bool', { random, depth: 4, variables: [] }) }));
    yield { id: `${seed}-${number}`, schema: { type: 'object', properties: createProperties(random), 'x-kubernetes-validations': rules } };
  }
}

const createText = (random: Random): Schema => ({
  type: 'string',
  ...random.maybe(0.6, () => ({ maxLength: random.int(300) })),
  ...random.maybe(0.2, () => ({ enum: ['a', 'bcd', 'e'.repeat(random.int(9))] })),
});
const createList = (random: Random, items: Schema): Schema => ({
  type: 'array',
  ...random.maybe(0.6, () => ({ maxItems: random.int(50) })),
  items,
});

const createProperties = (random: Random): Readonly<Record<string, Schema>> => ({
  n: { type: 'integer' },
  b: { type: 'boolean' },
  s: createText(random),
  t: createText(random),
  o: { type: 'object', ...random.maybe(0.5, () => ({ required: ['s'] })), properties: { s: createText(random), n: { type: 'integer' } } },
  l: createList(random, createText(random)),
  i: createList(random, { type: 'integer' }),
  k: createList(random, { type: 'object', ...random.maybe(0.5, () => ({ required: ['s'] })), properties: { s: createText(random) } }),
  m: { type: 'object', ...random.maybe(0.5, () => ({ maxProperties: random.int(40) })), additionalProperties: createText(random) },
});

type Type = 'bool' | 'int' | 'list<int>' | 'list<string>' | 'string';

interface Context {
  readonly random: Random;
  readonly depth: number;
  /** Variables of enclosing macros. */
  readonly variables: readonly { readonly name: string; readonly type: Type }[];
}

type Create = (type: Type) => string;

function createExpression(type: Type, context: Context): string {
  const { random, depth, variables } = context;
  const ofType = variables.filter((each) => each.type === type);
  if (ofType.length > 0 && random.chance(0.4)) return random.pick(ofType).name;
  if (depth === 0 || random.chance(0.15)) return random.pick(leaves[type]);
  const inner = { ...context, depth: depth - 1 };
  return random.pick(nodes[type])((each) => createExpression(each, inner), inner);
}

const leaves: Readonly<Record<Type, readonly string[]>> = {
  bool: ['true', 'self.b', 'has(self.s)', 'has(self.o.s)'],
  int: ['self.n', 'self.o.n', '7', '-3', 'size(self.m)'],
  'list<int>': ['self.i', '[1, 2, 3]'],
  'list<string>': ['self.l', '["a", "bcd"]'],
  string: ['self.s', 'self.t', 'self.o.s', '"text"', '"äö"', 'self.m["k"]'],
};

/** Calls a macro over a list or map, whose body has a variable. */
function createMacro(name: string, { random, depth, variables }: Context, body: Type): string {
  const variable = `v${variables.length}`;
  const [range, type] = random.pick<readonly [string, Type]>([
    ['self.l', 'string'],
    ['self.i', 'int'],
    ['self.m', 'string'],
    ['self.k.map(x, x.s)', 'string'],
    ['["a", "bcd"]', 'string'],
    ['[1, 2]', 'int'],
  ]);
  const expression = createExpression(body, { random, depth, variables: [...variables, { name: variable, type }] });
  return `${range}.${name}(${variable}, ${expression})`;
}

type CreateNode = (create: Create, context: Context) => string;

const nodes: Readonly<Record<Type, readonly CreateNode[]>> = {
  bool: [
    (create) => `(${create('bool')} && ${create('bool')})`,
    (create) => `(${create('bool')} || ${create('bool')})`,
    (create) => `!(${create('bool')})`,
    (create, { random }) => `(${create('string')} ${random.pick(['==', '!=', '<', '>='])} ${create('string')})`,
    (create, { random }) => `(${create('int')} ${random.pick(['==', '<', '>'])} ${create('int')})`,
    (create) => `(${create('list<string>')} == ${create('list<string>')})`,
    (create) => `(${create('string')} in ${create('list<string>')})`,
    (create) => `(${create('string')} in self.m)`,
    (create, { random }) => `${create('string')}.${random.pick(['contains', 'startsWith', 'endsWith'])}(${create('string')})`,
    (create) => `${create('string')}.matches("^a+[bc]*$")`,
    (create) => `(${create('bool')} ? ${create('bool')} : ${create('bool')})`,
    (create, { random }) => `${create(random.pick(['list<int>', 'list<string>'] as const))}.isSorted()`,
    (create) => `sets.contains(${create('list<string>')}, ${create('list<string>')})`,
    (create, { random }) => `${random.pick(['isURL', 'isIP', 'isQuantity', 'ip.isCanonical'])}(${create('string')})`,
    (_, context) => createMacro(context.random.pick(['all', 'exists', 'exists_one']), context, 'bool'),
  ],
  int: [
    (create, { random }) => `(${create('int')} ${random.pick(['+', '-', '*', '/', '%'])} ${create('int')})`,
    (create, { random }) => `${create(random.pick(['list<int>', 'list<string>', 'string'] as const))}.size()`,
    (create) => `${create('string')}.indexOf(${create('string')})`,
    (create) => `(${create('bool')} ? ${create('int')} : ${create('int')})`,
    (create, { random }) => `${create('list<int>')}.${random.pick(['sum', 'min', 'max'])}()`,
    (create) => `${create('list<int>')}[${create('int')}]`,
    (create) => `int(${create('string')})`,
  ],
  'list<int>': [
    (create) => `(${create('list<int>')} + ${create('list<int>')})`,
    (create) => `[${create('int')}, ${create('int')}]`,
    (create) => `${create('list<int>')}.filter(f, f > ${create('int')})`,
    (_, context) => createMacro('map', context, 'int'),
    (create, { random }) => `${create('list<int>')}.${random.pick(['distinct', 'sort', 'reverse'])}()`,
  ],
  'list<string>': [
    (create) => `(${create('list<string>')} + ${create('list<string>')})`,
    (create) => `[${create('string')}, ${create('string')}]`,
    (create) => `${create('list<string>')}.filter(f, f == ${create('string')})`,
    (_, context) => createMacro('map', context, 'string'),
    (create) => `${create('string')}.split(${create('string')})`,
    (create) => `${create('string')}.findAll("[a-z]+")`,
    (create, { random }) => `${create('list<string>')}.${random.pick(['distinct', 'sort', 'reverse'])}()`,
    (create) => `(${create('bool')} ? ${create('list<string>')} : ${create('list<string>')})`,
  ],
  string: [
    (create) => `(${create('string')} + ${create('string')})`,
    (create) => `(${create('bool')} ? ${create('string')} : ${create('string')})`,
    (create, { random }) => `${create('string')}.${random.pick(['lowerAscii', 'upperAscii', 'trim'])}()`,
    (create) => `${create('string')}.replace(${create('string')}, ${create('string')})`,
    (create) => `${create('string')}.substring(${create('int')})`,
    (create) => `${create('list<string>')}.join(${create('string')})`,
    (create) => `${create('list<string>')}[0]`,
    (create) => `self.m[${create('string')}]`,
    (create) => `${create('string')}.find("a+")`,
    (create) => `string(${create('int')})`,
    (create) => `self.?s.orValue(${create('string')})`,
  ],
};
