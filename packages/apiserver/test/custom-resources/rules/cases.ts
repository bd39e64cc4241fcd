import type { Schema, ValidationRule } from '../../../src/custom-resources/schema/schema.ts';

/** A schema with rules, and objects to validate against it; an object with `old` is an update. */
export interface RuleCase {
  readonly id: string;
  readonly schema: Schema;
  readonly objects: readonly { readonly object: unknown; readonly old?: unknown }[];
}

type Rule = string | ValidationRule;

const withRules = (schema: Schema, rules: readonly Rule[]): Schema =>
  rules.length === 0
    ? schema
    : { ...schema, 'x-kubernetes-validations': rules.map((rule) => (typeof rule === 'string' ? { rule } : rule)) };

const object = (properties: Readonly<Record<string, Schema>>, ...rules: readonly Rule[]): Schema =>
  withRules({ type: 'object', properties }, rules);
const array = (items: Schema, fields: Schema = {}, ...rules: readonly Rule[]): Schema =>
  withRules({ type: 'array', maxItems: 10, items, ...fields }, rules);
const map = (additionalProperties: Schema, ...rules: readonly Rule[]): Schema =>
  withRules({ type: 'object', maxProperties: 10, additionalProperties }, rules);
const integer: Schema = { type: 'integer' };
const number: Schema = { type: 'number' };
const text: Schema = { type: 'string', maxLength: 50 };
const bool: Schema = { type: 'boolean' };

const thing = (spec: unknown, name = 'one'): unknown => ({ apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name }, spec });
const spec = (schema: Schema, ...rules: readonly Rule[]): Schema => object({ spec: schema }, ...rules);
/** Creates a case from the schema of a spec, specs to create, and pairs of an old and a new spec. */
const createCase = (
  id: string,
  schema: Schema,
  newSpecs: readonly unknown[],
  specChanges: readonly (readonly [unknown, unknown])[] = [],
): RuleCase => ({
  id,
  schema,
  objects: [
    ...newSpecs.map((each) => ({ object: thing(each) })),
    ...specChanges.map(([old, newSpec]) => ({ object: thing(newSpec), old: thing(old) })),
  ],
});

const replicas = { min: integer, max: integer, replicas: integer };
const item = object({ name: text, port: integer, protocol: text });
const mapListType = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] } as const;
const required = (schema: Schema, ...names: readonly string[]): Schema => ({ ...schema, required: names });

const valueCases: readonly RuleCase[] = [
  createCase('numbers', spec(object(replicas, 'self.min <= self.replicas && self.replicas <= self.max')), [
    { min: 1, max: 3, replicas: 2 },
    { min: 1, max: 3, replicas: 4 },
    { min: 1, replicas: 4 },
  ]),
  createCase(
    'a rule at the root',
    spec(object(replicas), "self.metadata.name.startsWith('o') && self.kind == 'Thing'", "self.apiVersion == 'v2'"),
    [{ min: 1 }],
  ),
  createCase('doubles', spec(object({ ratio: number }, 'self.ratio > 0.5', 'self.ratio < 3')), [
    { ratio: 1 },
    { ratio: 0.25 },
    { ratio: 3.5 },
    {},
  ]),
  createCase(
    'doubles and integers',
    spec(object({ ratio: number, count: integer }, 'self.ratio > self.count', 'double(self.count) == self.ratio')),
    [
      { ratio: 2, count: 2 },
      { ratio: 2.5, count: 2 },
    ],
  ),
  createCase(
    'strings',
    spec(object({ name: text, other: text }, 'self.name.size() > 2', "self.name.matches('^[a-z]+$')", 'self.name != self.other')),
    [
      { name: 'abc', other: 'x' },
      { name: 'A', other: 'A' },
      { name: 'née', other: '' },
    ],
  ),
  createCase('presence', spec(object({ a: text, b: text }, 'has(self.a) != has(self.b)')), [{}, { a: 'x' }, { a: 'x', b: 'y' }]),
  createCase('optional fields', spec(object({ a: integer }, 'self.?a.orValue(7) > 5', 'self.?a.hasValue() || true')), [
    {},
    { a: 1 },
    { a: 6 },
  ]),
  createCase('booleans', spec(object({ on: bool }, 'self.on')), [{ on: true }, { on: false }, {}]),
  createCase('a rule on a string', spec(object({ name: withRules(text, ["self.startsWith('a')"]) })), [{ name: 'abc' }, { name: 'bc' }]),
  createCase('a rule on a number', spec(object({ count: withRules(integer, ['self % 2 == 0', '10 / self > 1']) })), [
    { count: 2 },
    { count: 3 },
    { count: 0 },
  ]),
  createCase('times', spec(object({ when: { type: 'string', format: 'date-time' } }, "self.when > timestamp('2020-01-01T00:00:00Z')")), [
    { when: '2021-01-01T00:00:00Z' },
    { when: '2019-12-31T23:59:59.5+02:00' },
  ]),
  createCase(
    'dates',
    spec(object({ day: { type: 'string', format: 'date' } }, 'self.day.getFullYear() == 2024 && self.day.getMonth() == 1')),
    [{ day: '2024-02-29' }, { day: '2023-02-01' }],
  ),
  createCase(
    'durations',
    spec(object({ wait: { type: 'string', format: 'duration' } }, "self.wait <= duration('1h')", 'self.wait.getSeconds() > 1')),
    [{ wait: '30m' }, { wait: '90m' }, { wait: '1500ms' }, { wait: '2 days' }],
  ),
  createCase(
    'bytes',
    spec(object({ data: { type: 'string', format: 'byte', maxLength: 20 } }, "self.data == b'abc'", 'size(self.data) == 3')),
    [{ data: 'YWJj' }, { data: 'YWI=' }],
  ),
  createCase(
    'int or string',
    spec(object({ port: { 'x-kubernetes-int-or-string': true } }, "type(self.port) == int ? self.port > 0 : self.port.endsWith('%')")),
    [{ port: 1 }, { port: 0 }, { port: '5%' }, { port: '5' }],
  ),
  createCase(
    'int or string without a type check',
    spec(object({ port: { 'x-kubernetes-int-or-string': true } }, 'self.port > 5', "self.port.startsWith('a')")),
    [{ port: 1 }, { port: 'a' }],
  ),
];

const collectionCases: readonly RuleCase[] = [
  createCase('lists', spec(object({ ports: array(integer, {}, 'self.all(x, x > 0)', 'self.size() < 3', '!(7 in self)') })), [
    { ports: [] },
    { ports: [1, 2] },
    { ports: [0, 7, 1] },
  ]),
  createCase(
    'rules on the elements of a list',
    spec(object({ items: array(withRules(item, ['self.port > 0', { rule: "self.name != ''", message: 'no name' }])) })),
    [
      { items: [{ name: 'a', port: 1 }] },
      {
        items: [
          { name: 'a', port: 0 },
          { name: '', port: 2 },
        ],
      },
    ],
  ),
  createCase(
    'lists of objects',
    spec(object({ items: array(item, {}, 'self.exists_one(x, x.port == 1)', 'self.map(x, x.name).size() == self.size()') })),
    [{ items: [{ name: 'a', port: 1 }] }, { items: [] }, { items: [{ name: 'a' }] }],
  ),
  createCase('an index beyond the end of a list', spec(object({ ports: array(integer, {}, 'self[1] > 0') })), [
    { ports: [1, 2] },
    { ports: [1] },
  ]),
  createCase('maps', spec(object({ labels: map(text, "self.all(k, k.startsWith('a') && self[k] != '')", "!('x' in self)") })), [
    { labels: { a: '1' } },
    { labels: { b: '1' } },
    { labels: { x: '', a: '' } },
  ]),
  createCase('rules on the values of a map', spec(object({ labels: map(withRules(text, ["self != 'no'"])) })), [
    { labels: { a: 'yes', b: 'no' } },
  ]),
  createCase('a missing key of a map', spec(object({ labels: map(text, "self['a'] == '1'", "self.a == '1'") })), [
    { labels: { a: '1' } },
    { labels: {} },
  ]),
  createCase('equal objects', spec(object({ a: item, b: item }, 'self.a == self.b')), [
    { a: { name: 'x', port: 1 }, b: { name: 'x', port: 1 } },
    { a: { name: 'x' }, b: { name: 'x', port: 1 } },
    { a: {} },
  ]),
  createCase('equal lists', spec(object({ a: array(integer), b: array(integer) }, 'self.a == self.b', 'self.a + self.b == [1, 2]')), [
    { a: [1], b: [2] },
    { a: [1, 2], b: [1, 2] },
  ]),
  createCase('in with a list of objects', spec(object({ a: item, items: array(item) }, 'self.a in self.items')), [
    { a: { name: 'x' }, items: [{ name: 'x' }] },
    { a: { name: 'x' }, items: [{ name: 'y' }] },
  ]),
  createCase(
    'escaped field names',
    spec(
      object(
        { 'a-b': integer, namespace: text, 'x.y/z': bool, a__b: integer, '4you': integer },
        "self.a__dash__b > 1 && self.__namespace__ != ''",
        'self.x__dot__y__slash__z',
        'self.a__underscores__b == 2',
      ),
    ),
    [
      { 'a-b': 2, namespace: 'x', 'x.y/z': true, a__b: 2, '4you': 1 },
      { 'a-b': 1, namespace: 'x', 'x.y/z': false, a__b: 3 },
    ],
  ),
  createCase('a rule on a field whose name cannot be escaped', spec(object({ '4you': withRules(integer, ['self > 1']) })), [{ '4you': 1 }]),
];

const messageCases: readonly RuleCase[] = [
  createCase(
    'messages',
    spec(
      object(
        { n: integer },
        { rule: 'self.n > 1', message: ' too few ' },
        { rule: 'self.n > 2', messageExpression: "self.n == 1 ? 'one' : 'other'" },
      ),
    ),
    [{ n: 1 }, { n: 3 }],
  ),
  createCase(
    'unusable message expressions',
    spec(
      object(
        { n: integer },
        { rule: 'self.n > 1', message: 'said', messageExpression: "''" },
        { rule: 'self.n > 1', messageExpression: "'a\\nb'" },
        { rule: 'self.n > 1', message: 'divided', messageExpression: 'string(1 / self.n)' },
      ),
    ),
    [{ n: 0 }],
  ),
  createCase(
    'reasons',
    spec(
      object(
        { n: integer, m: withRules(integer, [{ rule: 'self > 1', reason: 'FieldValueDuplicate' }]) },
        { rule: 'self.n > 1', reason: 'FieldValueForbidden' },
        { rule: 'self.n > 1', reason: 'FieldValueRequired', message: 'more' },
        { rule: 'self.n > 1', reason: 'FieldValueInvalid' },
        { rule: 'self.n > 1', reason: 'FieldValueDuplicate' },
      ),
    ),
    [{ n: 0, m: 1 }],
  ),
  createCase(
    'field paths',
    spec(
      object(
        { n: integer, labels: map(text), deep: object({ m: integer }) },
        { rule: 'self.n > 1', fieldPath: '.n' },
        { rule: 'self.n > 1', fieldPath: '.deep.m', reason: 'FieldValueRequired' },
        { rule: 'self.n > 1', fieldPath: ".labels['a.b']" },
      ),
    ),
    [{ n: 0 }],
  ),
  createCase('a rule of several lines', spec(object({ n: integer }, { rule: 'self.n > 1 &&\n  self.n < 9', message: 'between' })), [
    { n: 0 },
  ]),
];

const transitionCases: readonly RuleCase[] = [
  createCase(
    'comparison with the old value',
    spec(object({ n: integer }, 'self == oldSelf', { rule: 'self.n >= oldSelf.n', message: 'never fewer' })),
    [{ n: 1 }],
    [
      [{ n: 1 }, { n: 1 }],
      [{ n: 2 }, { n: 1 }],
    ],
  ),
  createCase(
    'an immutable string',
    spec(object({ name: withRules(text, ['self == oldSelf']) })),
    [{ name: 'a' }],
    [
      [{ name: 'a' }, { name: 'b' }],
      [{}, { name: 'b' }],
      [{ name: 'a' }, {}],
    ],
  ),
  createCase(
    'optional old values',
    spec(
      object({
        name: withRules(text, [{ rule: 'oldSelf.hasValue() || self != "x"', optionalOldSelf: true }]),
        n: withRules(integer, [{ rule: 'oldSelf.orValue(5) <= self', optionalOldSelf: true }]),
      }),
    ),
    [
      { name: 'x', n: 4 },
      { name: 'y', n: 5 },
    ],
    [
      [
        { name: 'a', n: 1 },
        { name: 'x', n: 1 },
      ],
      [{ n: 7 }, { name: 'x', n: 6 }],
    ],
  ),
  createCase(
    'transitions in lists with keys',
    spec(object({ items: array(required(withRules(item, ['self.port >= oldSelf.port']), 'name'), mapListType) })),
    [{ items: [{ name: 'a', port: 1 }] }],
    [
      [
        {
          items: [
            { name: 'a', port: 5 },
            { name: 'b', port: 5 },
          ],
        },
        {
          items: [
            { name: 'b', port: 6 },
            { name: 'a', port: 4 },
            { name: 'c', port: 1 },
          ],
        },
      ],
    ],
  ),
  createCase(
    'transitions in maps',
    spec(object({ labels: map(withRules(text, ['self == oldSelf'])) })),
    [],
    [[{ labels: { a: '1', b: '2' } }, { labels: { a: '2', b: '2', c: '3' } }]],
  ),
  createCase(
    'unchanged invalid values',
    spec(
      object({
        n: withRules(integer, ['self > 1']),
        m: integer,
        inner: object({ k: integer }, 'self.k > 1'),
        list: array(withRules(integer, ['self > 1'])),
      }),
    ),
    [],
    [
      [
        { n: 0, m: 1, inner: { k: 0 }, list: [0] },
        { n: 0, m: 2, inner: { k: 0 }, list: [0] },
      ],
      [
        { n: 0, m: 1, inner: { k: 0 }, list: [0] },
        { n: 1, m: 2, inner: { k: 1 }, list: [0, 0] },
      ],
    ],
  ),
  createCase(
    'unchanged invalid values in lists with keys',
    spec(object({ items: array(required(withRules(item, ['self.port > 1']), 'name'), mapListType), n: integer })),
    [],
    [
      [
        { items: [{ name: 'a', port: 0 }] },
        {
          items: [
            { name: 'b', port: 0 },
            { name: 'a', port: 0 },
          ],
          n: 1,
        },
      ],
      [{ items: [{ name: 'a', port: 0 }] }, { items: [{ name: 'a', port: 1 }] }],
    ],
  ),
  createCase(
    'rules within allOf',
    spec({
      ...object({ n: integer }),
      allOf: [
        { 'x-kubernetes-validations': [{ rule: 'self.n > 1' }] },
        { properties: { n: { 'x-kubernetes-validations': [{ rule: 'self > 2' }] } } },
      ],
    } as Schema),
    [{ n: 1 }, { n: 2 }],
    [[{ n: 1 }, { n: 1 }]],
  ),
];

const nullAndUndeclaredCases: readonly RuleCase[] = [
  createCase(
    'nullable fields',
    spec(
      object(
        { n: { ...integer, nullable: true }, o: { ...item, nullable: true }, t: { ...withRules(text, ["self == 'a'"]), nullable: true } },
        'has(self.n)',
      ),
    ),
    [{ n: null, o: null, t: null }, { n: 1 }, {}],
  ),
  createCase('undeclared fields', spec({ ...object({ n: integer }, 'self.n > 0'), 'x-kubernetes-preserve-unknown-fields': true }), [
    { n: 1, m: 2 },
    { n: 0, m: 2 },
  ]),
  createCase(
    'equality of objects with undeclared fields',
    spec(object({ a: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, b: integer }, 'self.b > 0', 'self.a == self.a')),
    [{ a: { x: 1 }, b: 1 }],
  ),
  createCase(
    'embedded objects',
    spec(
      object({
        template: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
          'x-kubernetes-validations': [{ rule: "self.kind == 'Pod' && self.metadata.name != ''" }],
        },
      }),
    ),
    [
      { template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } } },
      { template: { apiVersion: 'v1', kind: 'Job', metadata: { name: 'p' } } },
    ],
  ),
];

const shortText: Schema = { type: 'string', maxLength: 20 };

const functionCases: readonly RuleCase[] = [
  createCase(
    'quantities',
    spec(object({ cpu: shortText }, 'isQuantity(self.cpu) && quantity(self.cpu).compareTo(quantity("500m")) <= 0')),
    [{ cpu: '100m' }, { cpu: '0.5' }, { cpu: '1' }, { cpu: 'much' }],
  ),
  createCase(
    'addresses',
    spec(object({ ip: shortText, net: shortText }, 'isIP(self.ip) && ip(self.ip).family() == 4', 'cidr(self.net).containsIP(self.ip)')),
    [
      { ip: '10.0.0.1', net: '10.0.0.0/8' },
      { ip: '::1', net: '10.0.0.0/8' },
      { ip: '10.0.0.1', net: '10.0.0.0' },
    ],
  ),
  createCase(
    'URLs',
    spec(
      object({ url: shortText }, "isURL(self.url) && url(self.url).getScheme() == 'https'", "url(self.url).getHostname().endsWith('.com')"),
    ),
    [{ url: 'https://a.com/b' }, { url: 'http://a.org:80' }, { url: 'a b' }],
  ),
  createCase(
    'names',
    spec(object({ name: shortText }, '!format.dns1123Label().validate(self.name).hasValue()', "self.name.find('[0-9]+') == ''")),
    [{ name: 'web' }, { name: 'Web-' }, { name: 'web1' }],
  ),
  createCase('versions', spec(object({ v: shortText }, "isSemver(self.v) && semver(self.v).isGreaterThan(semver('1.0.0'))")), [
    { v: '1.2.3' },
    { v: '0.9.0' },
    { v: 'v1' },
  ]),
  createCase(
    'string functions',
    spec(
      object(
        { s: shortText },
        "self.s.lowerAscii() == self.s && self.s.split('-').size() == 2",
        "self.s.replace('-', '') != ''",
        "'%s!'.format([self.s]).size() < 8",
        "self.s.substring(0, 2) == 'ab'",
      ),
    ),
    [{ s: 'ab-c' }, { s: 'Ab' }, { s: '-' }, { s: 'ab-cdefgh' }],
  ),
  createCase(
    'list functions',
    spec(
      object(
        { list: array(integer) },
        'self.list.isSorted() && self.list.sum() < 10',
        'self.list.min() > 0',
        'self.list.indexOf(3) == 1',
        'sets.contains([1, 2, 3, 4], self.list)',
      ),
    ),
    [{ list: [1, 3] }, { list: [3, 1] }, { list: [] }, { list: [1, 3, 9] }],
  ),
  createCase(
    'optional values',
    spec(object({ a: integer, o: object({ b: integer }) }, 'self.?a.optMap(x, x * 2).orValue(4) >= 4', 'self.?o.?b.orValue(7) == 7')),
    [{}, { a: 1 }, { a: 3, o: { b: 8 } }],
  ),
  createCase(
    'macros with two variables',
    spec(object({ list: array(integer), labels: map(text) }, 'self.list.all(i, x, x > i)', 'self.labels.exists(k, v, k == v)')),
    [
      { list: [1, 2], labels: { a: 'a' } },
      { list: [1, 1], labels: { a: 'b' } },
    ],
  ),
];

const invalidRuleCases: readonly RuleCase[] = [
  'self.missing > 1',
  'self.n > "a"',
  'self.n',
  'self.n >',
  'unknown > 1',
  'self.n.foo()',
  'nothing(self.n)',
  'self.n == null',
  'self.s == null',
  'self.o == null',
  'self.n + self.s == 1',
  'self.list.all(x, x.foo)',
  "self.s.matches('(')",
  'self.n == 1.0',
  'self.n < 1.5',
  'self.n in self.list',
  'self.map.all(k, self.map[k] == 1)',
  'self.o.zz',
  'oldSelf.n == "x"',
  'has(self.zz)',
  'has(self.o.zz)',
  "self.s.find('[')== ''",
  '[1, "a"].size() > 0',
  '{1: 1, "a": 2}.size() > 0',
  'self.list == self.o',
  'true ? 1 : "a"',
  'duration("x") > duration("1s")',
  'timestamp("x") > timestamp("y")',
  'self.n > 1 || ',
  '"unterminated',
  'cel.bind(x, self.n, x > 1)',
  'self["n"] > 1',
  'self.list[0].size() > 1',
  '',
  ' ',
].map((rule, i) =>
  createCase(`invalid rule ${i}: ${rule}`, spec(object({ n: integer, s: text, o: item, list: array(integer), map: map(text) }, rule)), [
    { n: 3, s: 'a', o: {}, list: [3], map: {} },
  ]),
);

const invalidOptionCases: readonly RuleCase[] = [
  createCase(
    'a message expression that is not a string',
    spec(object({ n: integer }, { rule: 'self.n > 1', messageExpression: 'self.n' })),
    [],
  ),
  createCase('an invalid message expression', spec(object({ n: integer }, { rule: 'self.n > 1', messageExpression: 'self.zz' })), []),
  createCase('an empty message expression', spec(object({ n: integer }, { rule: 'self.n > 1', messageExpression: '  ' })), []),
  createCase('optionalOldSelf true without oldSelf', spec(object({ n: integer }, { rule: 'self.n > 1', optionalOldSelf: true })), []),
  createCase('optionalOldSelf false without oldSelf', spec(object({ n: integer }, { rule: 'self.n > 1', optionalOldSelf: false })), []),
  createCase('oldSelf in a list without keys', spec(object({ list: array(withRules(integer, ['self >= oldSelf'])) })), []),
  createCase(
    'oldSelf in a list of objects without keys',
    spec(object({ list: array(object({ n: withRules(integer, ['self >= oldSelf']) })) })),
    [],
  ),
  createCase(
    'oldSelf in a set',
    spec(object({ list: array(withRules(integer, ['self >= oldSelf']), { 'x-kubernetes-list-type': 'set' }) })),
    [],
  ),
  createCase('several invalid rules', spec(object({ n: integer }, 'self.a > 1', 'self.b > 1', 'self.n > 1')), []),
];

export const ruleCases: readonly RuleCase[] = [
  ...valueCases,
  ...collectionCases,
  ...messageCases,
  ...transitionCases,
  ...nullAndUndeclaredCases,
  ...functionCases,
  ...invalidRuleCases,
  ...invalidOptionCases,
];
