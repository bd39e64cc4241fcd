import type { Schema } from '../../../src/custom-resources/schema/schema.ts';

interface CostCase {
  readonly id: string;
  readonly schema: Schema;
}

const text = { type: 'string' };
const properties: Readonly<Record<string, Schema>> = {
  n: { type: 'integer' },
  d: { type: 'number' },
  b: { type: 'boolean' },
  s: text,
  t: { type: 'string', maxLength: 20 },
  e: { type: 'string', enum: ['a', 'bcd'] },
  y: { type: 'string', format: 'byte' },
  z: { type: 'string', format: 'byte', maxLength: 30 },
  u: { type: 'string', format: 'duration' },
  w: { type: 'string', format: 'date-time' },
  date: { type: 'string', format: 'date' },
  x: { 'x-kubernetes-int-or-string': true },
  o: { type: 'object', required: ['p'], properties: { p: text, q: { type: 'integer' } } },
  l: { type: 'array', items: { type: 'integer' } },
  m: { type: 'array', maxItems: 10, items: { type: 'string', maxLength: 5 } },
  k: {
    type: 'array',
    maxItems: 7,
    items: { type: 'object', required: ['name'], properties: { name: { type: 'string', maxLength: 9 }, v: text } },
  },
  ll: { type: 'array', maxItems: 3, items: { type: 'array', maxItems: 4, items: { type: 'string', maxLength: 6 } } },
  a: { type: 'object', additionalProperties: { type: 'string' } },
  c: { type: 'object', maxProperties: 8, additionalProperties: { type: 'object', properties: { f: { type: 'string', maxLength: 11 } } } },
  'with-dash': { type: 'string', maxLength: 12 },
};

const schemaWith = (...expressions: readonly string[]): Schema => ({
  type: 'object',
  properties,
  'x-kubernetes-validations': expressions.map((rule) => ({ rule })),
});

/** Expressions over the schema, one or more for each kind of node and function. */
export const expressions: readonly string[] = [
  ...['true', 'self.b', '!self.b', 'self.n == 1', 'self.n == self.n', '-self.n < 1', '-1 < self.n', 'self.d * 2.0 > 1.5', '1 + 2 == 3'],
  ...[
    'self.s == self.t',
    'self.s == "abc"',
    'self.s != self.s',
    'self.t < self.s',
    'self.t >= "abc"',
    'self.e == self.s',
    'self.y == self.z',
  ],
  ...[
    'self.u < duration("1h")',
    'self.w > timestamp("2020-01-01T00:00:00Z")',
    'self.date == self.w',
    'self.o == self.o',
    'self.l == self.l',
  ],
  ...['self.o.p == self.s', 'self.o.q > 1', 'has(self.o)', 'has(self.o.p) && self.o.p == "x"', 'has(self.o.p) || self.b', 'self.x == 1'],
  ...['self.x == "a"', 'type(self.x) == int', 'type(self.x) == string && self.x.startsWith("a")', 'self.b ? self.n > 1 : self.d > 2.0'],
  ...[
    '(self.b ? self.s : self.t) == self.s',
    'self.s.size() > 1',
    'size(self.t) == 1',
    'size(self.l) > 2',
    'self.m[0] == self.s',
    'self.m[0] == "a"',
  ],
  ...[
    'self.ll[0][1] == self.t',
    'self.c["a"].f == self.s',
    'self.a["k"] == self.s',
    'self.a["k"] == "abcdefghijklmnopqrstuvwxyz"',
    'self.__with__dash__ == 1',
  ],
  ...[
    'self.with__dash__dash == self.s',
    '1 in self.l',
    '"a" in self.m',
    '"a" in self.a',
    '"a" in self.s.replace("", self.s).replace("abcde", self.s).findAll("a")',
    'self.s in ["a", "b", "c"]',
    'self.s in {"a": 1}',
  ],
  ...[
    'self.s + self.t == self.s',
    'self.t + "abc" == self.t',
    '(self.m + self.m).size() > 1',
    '(self.m + ["a"])[0] == self.s',
    'self.l + [1] == self.l',
  ],
  ...[
    'self.l.all(i, i > 0)',
    'self.m.all(i, i == "a")',
    'self.m.exists(i, i.startsWith("a"))',
    'self.m.exists_one(i, i == self.s)',
    'self.l.existsOne(i, i == 1)',
  ],
  ...[
    'self.m.map(i, i + "x") == self.m',
    'self.m.map(i, i.size() > 1, i) == self.m',
    'self.m.filter(i, i == "a").size() > 0',
    'self.k.all(i, i.name == self.s)',
  ],
  ...[
    'self.k.all(i, self.k.all(j, i.name == j.name))',
    'self.ll.all(i, i.all(j, j == self.s))',
    'self.a.all(i, i == self.s)',
    'self.c.all(i, self.c[i].f == "x")',
  ],
  ...[
    'self.k.map(i, i.v).all(j, j == "x")',
    'self.k.map(i, i.name)[0] == self.s',
    'self.k.filter(i, i.name == "a").all(j, j.v == self.s)',
    '[1, 2].all(i, i > 0)',
  ],
  ...[
    '["a", "bc"].map(i, i + self.t)[0] == self.s',
    '{"a": self.t, "bc": self.s}.all(i, i == self.s)',
    '[self.s, self.t][0] == self.s',
    '[[1], [2, 3]].all(i, i.size() > 0)',
  ],
  ...[
    'self.m.all(i, v, v == self.s)',
    'self.m.exists(i, v, v == "a" && i > 0)',
    'self.c.all(key, v, v.f == key)',
    'self.m.transformList(i, v, v + "x").size() > 1',
  ],
  ...[
    'self.m.transformList(i, v, i > 0, v)[0] == self.s',
    'self.m.existsOne(i, v, v == "a")',
    'self.s.contains(self.t)',
    'self.s.contains("abc")',
    'self.t.endsWith(self.s)',
  ],
  ...[
    'self.s.matches("^a+b*$")',
    'self.t.matches("x")',
    'self.s.startsWith("abc")',
    'self.s.lowerAscii() == self.t',
    'self.t.upperAscii().trim() == self.s',
  ],
  ...[
    'self.s.replace("a", "bcd") == self.t',
    'self.t.replace("a", "bcd") == self.s',
    'self.t.replace("", "x") == self.s',
    'self.t.replace("abc", "d") == self.s',
    'self.t.replace(self.s, self.t) == self.s',
  ],
  ...[
    'self.s.split(",").size() > 1',
    'self.t.split(",")[0] == self.s',
    'self.s.split(",", 5).all(i, i == "a")',
    'self.m.join() == self.s',
    'self.m.join(",") == self.s',
    'self.ll[0].join(self.t) == self.s',
  ],
  ...[
    'self.s.substring(1) == self.t',
    'self.t.substring(1, 3) == self.s',
    'self.s.indexOf("a") > 1',
    'self.t.lastIndexOf("a") > 1',
    'self.t.charAt(0) == "a"',
    'self.s.find("a+") == self.t',
  ],
  ...[
    'self.t.findAll("[0-9]+").size() > 1',
    'self.s.findAll("a", 2) == self.m',
    'self.l.isSorted()',
    'self.m.isSorted()',
    'self.l.sum() > 1',
    'self.m.max() == self.s',
    'self.l.min() > 1',
  ],
  ...[
    'self.l.indexOf(1) > 0',
    'self.m.lastIndexOf("a") > 1',
    'url(self.s).getHost() == self.t',
    'isURL(self.t)',
    'url(self.t) == url(self.t)',
    'url("https://a/b").getPort() == "1"',
  ],
  ...[
    'ip(self.t).family() == 4',
    'isIP(self.s)',
    'ip.isCanonical(self.t)',
    'ip(self.t) == ip("1.2.3.4")',
    'cidr(self.t).containsIP(self.s)',
    'cidr(self.t).containsIP(ip(self.t))',
  ],
  ...[
    'cidr(self.t).containsCIDR(self.s)',
    'cidr(self.t).containsCIDR(cidr(self.s))',
    'cidr(self.t).prefixLength() > 1',
    'cidr(self.t).ip() == ip(self.t)',
    'cidr(self.t).masked() == cidr(self.t)',
  ],
  ...[
    'quantity(self.t).isGreaterThan(quantity("1"))',
    'isQuantity(self.s)',
    'quantity(self.t) == quantity(self.s)',
    'quantity(self.t).add(1).compareTo(quantity("2")) > 0',
    'quantity(self.t).asInteger() > 1',
  ],
  ...[
    'semver(self.t).major() > 1',
    'isSemver(self.s)',
    'semver(self.t) == semver("1.0.0")',
    'semver(self.t).isLessThan(semver("1.0.0"))',
    'format.named("dns1123Label").value().validate(self.t).hasValue()',
  ],
  ...[
    'format.dns1123Label().validate(self.s).orValue([]) == []',
    'sets.contains(self.l, [1])',
    'sets.equivalent(self.m, self.m)',
    'sets.intersects(self.m, ["a"])',
    'self.m.distinct().size() > 1',
    'self.l.sort() == self.l',
  ],
  ...[
    'self.m.sort()[0] == self.s',
    'self.m.reverse() == self.m',
    'self.ll.flatten().size() > 1',
    'self.ll.flatten(2).size() > 1',
    'self.m.slice(0, 2).size() > 1',
    'self.l.slice(1, self.n).size() > 1',
    'lists.range(5).all(i, i > 0)',
  ],
  ...[
    'self.?s.orValue("a") == self.t',
    'self.?n.orValue(1) > 1',
    'self.?o.?p.hasValue()',
    'self.m[?0].orValue("x") == self.s',
    'self.?s.optMap(i, i + "a").orValue("") == self.s',
    'self.?t.value() == self.s',
  ],
  ...[
    'optional.of(self.s).value() == self.t',
    'optional.none().hasValue()',
    'string(self.n) == self.s',
    'int(self.t) > 1',
    'double(self.n) > 1.0',
    'bytes(self.s) == self.y',
    'string(self.z) == self.s',
    'dyn(self.s) == self.t',
  ],
  ...[
    '"%s %d".format([self.s, self.n]) == self.t',
    'strings.quote(self.t) == self.s',
    'self.w.getFullYear() > 1',
    'duration(self.t) < self.u',
    'timestamp(self.t) > self.w',
    'self.s == "äöü"',
    'b"abc" == self.y',
  ],
  ...[
    'self.m.all(i, self.m.exists(j, self.m.exists_one(k, i == j && j == k)))',
    'self.b && self.n > 1 && self.s == "a" || self.t == "b"',
    'oldSelf.n == self.n',
    'self.m == oldSelf.m && oldSelf.s == self.s',
  ],
  ...[
    '[self.n, 1].max() > 2',
    '[self.t, self.s].max() == "a"',
    '(self.b ? self.m : ["abc"])[0] == self.s',
    '(self.b ? [self.t] : [self.s]).all(i, i == self.s)',
    'self.m.map(i, [i, "a"]).all(j, j[0] == self.s)',
  ],
  ...[
    '[].size() == 0',
    '{}.size() == 0',
    '[1, 2, 3].map(i, i * 2).filter(j, j > 2).exists(k, k == 4)',
    '{"a": 1}["a"] == 1',
    '{"a": self.s}.a == self.t',
    '[{"a": self.t}][0].a == self.s',
    'self.o.p.size() + self.s.size() < 100',
  ],
];

/** Schemas with a rule that is too expensive or converts a literal that cannot be converted: their definitions are refused. */
const definitions: readonly Schema[] = [
  schemaWith('self.s.contains(self.s)'),
  ...[
    "int('a')",
    "self.n > int('a')",
    "self.b || double('x') > 1.0",
    "bool('maybe')",
    "string(b'\\xff') == self.s",
    'self.n > uint(-1)',
  ].map((each) => schemaWith(each)),
  {
    type: 'object',
    properties: {
      s: { type: 'string', maxLength: 5, 'x-kubernetes-validations': [{ rule: 'true', messageExpression: "string(int('a'))" }] },
    },
  },
  schemaWith('self.l.all(i, self.l.all(j, i == j))'),
  {
    type: 'object',
    properties: { a: { type: 'array', items: { ...text, 'x-kubernetes-validations': [{ rule: 'self.contains("abc")' }] } } },
  },
  {
    type: 'object',
    properties: { a: { type: 'array', maxItems: 60, items: { ...text, 'x-kubernetes-validations': [{ rule: 'self.contains("abc")' }] } } },
  },
  {
    type: 'object',
    properties: {
      a: {
        type: 'object',
        maxProperties: 450,
        additionalProperties: {
          type: 'string',
          maxLength: 20_000,
          'x-kubernetes-validations': [{ rule: 'self.contains("abcdefghijklmnopqrstuvwxyz")' }],
        },
      },
    },
  },
  {
    type: 'object',
    properties: {
      s: {
        ...text,
        'x-kubernetes-validations': [
          { rule: 'self == "a"', messageExpression: 'self.replace("a", self + self)' },
          { rule: 'true', messageExpression: 'self.contains(self) ? "a" : "b"' },
        ],
      },
    },
  },
  schemaWith(...Array.from({ length: 23 }, (_, i) => `self.s.matches("${'a'.repeat(10 + 5 * i)}")`)),
];

export const costCases: readonly CostCase[] = expressions.map((each) => ({ id: each, schema: schemaWith(each) }));
export const definitionCases: readonly CostCase[] = definitions.map((schema, i) => ({ id: `definition ${i}`, schema }));
