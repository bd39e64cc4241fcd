import { describe, expect, test } from 'vitest';
import { createCelValues } from '../../cel/src/bounded.ts';
import { createCelParser, maxCelSteps, readsContent, topLevelFieldsRead } from '../src/cel.ts';
import { createOverrides, type EndpointOverrides } from '../src/index.ts';
import { createNameMatcher, isInPercentage, parseSelector } from '../src/match/match.ts';
import { compileWindow } from '../src/match/window.ts';
import type { TimeWindow } from '../src/rule.ts';

test.each<[string[], string, boolean]>([
  [['web'], 'web', true],
  [['web'], 'web-1', false],
  [['a', 'b'], 'b', true],
  [['web-*'], 'web-', true],
  [['*-web'], 'x-web', true],
  [['a*b*c'], 'a-b-b-c', true],
  [['a*b*c'], 'a-c', false],
  [['ab*ba'], 'aba', false],
  [['*'], '', true],
  [['a.b'], 'axb', false],
])('createNameMatcher(%j)(%j) returns %s', (names, text, expected) => {
  expect(createNameMatcher(names)(text)).toBe(expected);
});

test.each<[string, Record<string, string> | undefined, boolean]>([
  ['app=web', { app: 'web' }, true],
  ['app==web, tier != x', { app: 'web' }, true],
  ['app=web,tier!=x', { app: 'web', tier: 'x' }, false],
  ['tier in (a, b)', { tier: 'b' }, true],
  ['tier in (a,b)', {}, false],
  ['tier notin (a,b)', undefined, true],
  ['tier', { tier: '' }, true],
  ['!tier', { tier: '' }, false],
  ['a/b.c=', { 'a/b.c': '' }, true],
  ['constructor', {}, false],
  ['weight>1', { weight: '2' }, true],
  ['weight<1', { weight: '2' }, false],
])('the selector %s, given the labels %j, returns %s', (text, labels, expected) => {
  const result = parseSelector(text);
  expect('matches' in result && result.matches(labels)).toBe(expected);
});

test.each([
  [' ', 'there is no requirement in it'],
  ['app=web,', "found '', expected: identifier after ','"],
  ['app=web)', "found ')', expected: ',' or 'end of string'"],
  ['tier in (a', "unable to parse requirement: found '', expected: ',' or ')'"],
  ['-a', expect.stringContaining('Invalid value: "-a": name part must consist of')],
  ['a=-b', expect.stringContaining('values[0][a]: Invalid value: "-b": a valid label must be')],
])('parseSelector refuses %j', (text, problem) => {
  expect(parseSelector(text)).toEqual({ problem });
});

test('isInPercentage is accurate, and a larger percentage includes a smaller one', () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
  const counts = [0, 10, 50, 100].map((percentage) => names.filter((name) => isInPercentage(name, percentage)).length);
  expect([counts[0], counts[3]]).toEqual([0, 10_000]);
  expect(Math.abs((counts[1] as number) - 1000)).toBeLessThan(150);
  expect(names.every((name) => !isInPercentage(name, 10) || isInPercentage(name, 50))).toBe(true);
});

describe('compileWindow returns the end of a window', () => {
  test.each<[string, TimeWindow, string, string | undefined]>([
    ['as undefined before it opens', { from: '2026-03-04T12:00:00Z' }, '2026-03-04T11:59:59Z', undefined],
    ['as never without `to`', { from: '2026-03-04T12:00:00Z' }, '2026-03-04T12:00:00Z', 'never'],
    [
      'that opens once',
      { from: '2026-03-04T12:00:00+02:00', to: '2026-03-04T12:00:00Z' },
      '2026-03-04T11:00:00Z',
      '2026-03-04T12:00:00.000Z',
    ],
    ['as undefined at its end', { to: '2026-03-04T12:00:00Z' }, '2026-03-04T12:00:00Z', undefined],
    ['every day', { start: '10:00', end: '12:30' }, '2026-03-04T10:00:30Z', '2026-03-04T12:30:00.000Z'],
    ['over midnight, before midnight', { start: '22:00', end: '06:00' }, '2026-03-04T23:00:00Z', '2026-03-05T06:00:00.000Z'],
    ['over midnight, after midnight', { start: '22:00', end: '06:00' }, '2026-03-05T05:59:59Z', '2026-03-05T06:00:00.000Z'],
    ['over midnight, as undefined at its end', { start: '22:00', end: '06:00' }, '2026-03-05T06:00:00Z', undefined],
    ['that began on the previous day', { days: ['Tue'], start: '22:00', end: '06:00' }, '2026-03-04T05:00:00Z', '2026-03-04T06:00:00.000Z'],
    [
      'as undefined if it did not begin on the previous day',
      { days: ['Wed'], start: '22:00', end: '06:00' },
      '2026-03-04T05:00:00Z',
      undefined,
    ],
    ['of consecutive days', { days: ['Wed', 'Thu', 'Sat'] }, '2026-03-04T05:00:00Z', '2026-03-06T00:00:00.000Z'],
    ['of all days as never', { days: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] }, '2026-03-04T05:00:00Z', 'never'],
    ['in a time zone', { start: '09:00', end: '17:00', timeZone: 'America/New_York' }, '2026-03-04T14:00:00Z', '2026-03-04T22:00:00.000Z'],
    [
      'in a time zone, as undefined before it opens',
      { start: '09:00', end: '17:00', timeZone: 'America/New_York' },
      '2026-03-04T13:59:00Z',
      undefined,
    ],
    [
      'across the start of daylight saving time',
      { start: '22:00', end: '06:00', timeZone: 'Europe/Berlin' },
      '2026-03-28T23:00:00Z',
      '2026-03-29T04:00:00.000Z',
    ],
    [
      'across the end of daylight saving time',
      { start: '22:00', end: '06:00', timeZone: 'Europe/Berlin' },
      '2026-10-24T22:00:00Z',
      '2026-10-25T05:00:00.000Z',
    ],
    ['cut off by "to"', { start: '10:00', end: '12:30', to: '2026-03-04T11:00:00Z' }, '2026-03-04T10:30:00Z', '2026-03-04T11:00:00.000Z'],
  ])('%s', (_, window, now, end) => {
    const endMs = compileWindow(window).endOf(Date.parse(now));
    expect(endMs === undefined ? undefined : endMs === Number.POSITIVE_INFINITY ? 'never' : new Date(endMs).toISOString()).toBe(end);
  });
});

describe('createCelParser', () => {
  const values = createCelValues();
  const addresses = Array.from({ length: 1000 }, (_, index) => ({ ip: `10.0.0.${index}` }));
  const variables = {
    object: values.convert({
      metadata: { name: 'web', labels: { ['__proto__']: 'x', app: 'web' }, size: 3 },
      subsets: [{ addresses, ports: [{ port: 8080 }] }],
    }),
    oldObject: null,
    service: null,
    pods: values.convert(addresses),
    operation: 'UPDATE',
    now: new Date('2026-03-04T12:00:00Z'),
  };
  const evaluate = (source: string): unknown => {
    const result = createCelParser().parse(source, 'object');
    return typeof result === 'string' ? result : result.evaluate({ variables, values, meter: { remaining: maxCelSteps } });
  };

  test.each<[string, unknown]>([
    ['object.metadata.name == "web" && operation == "UPDATE"', true],
    ['object.subsets.exists(s, s.ports.exists(p, p.port == 8080 && p.port + 1 > 8080))', true],
    ['(object.metadata.name + "-" + object.metadata.labels["app"]).matches("^(w|e|b)+-web$")', true],
    ['has(object.metadata.labels.app) && !has(object.metadata.labels.tier)', true],
    ['service == null || service.metadata.name == "x"', true],
    ['object.?spec.?x.orValue("none") == "none"', true],
    ['now < timestamp("2026-03-05T00:00:00Z") // a comment', true],
    ['cel.bind(n, object.metadata.name, n in ["web", "db"])', true],
    ['object.subsets[0].addresses.filter(a, a.ip.endsWith(".7")).size() == 1', true],
    ['object.metadata.size in [1, 2, 3] ? true : false', true],
  ])('evaluates %s', (source, expected) => {
    expect(evaluate(source)).toBe(expected);
  });

  test.each([
    'object.metadata.nothing == 1',
    'object.constructor == 1',
    'service.metadata.name == "x"',
    'object.metadata.name',
    'object.metadata.size.matches("x")',
    'object.metadata.name.matches(object.metadata.name + "(")',
    '1 / 0 == 1',
  ])('returns a failure for %s', (source) => {
    expect(evaluate(source)).toEqual({ failure: expect.any(String) });
  });

  test.each([
    'pods.all(a, pods.all(b, pods.all(c, pods.all(d, a.ip + b.ip + c.ip + d.ip != "x"))))',
    'pods.map(a, pods.map(b, pods.map(c, c.ip))).size() == 1',
    `[1].map(a, [1, 2, 3, 4])${'.map(a, a + a)'.repeat(40)}.size() == 1`,
    'pods.exists(a, pods.exists(b, pods == object || a.ip == "x"))',
    'pods.map(a, pods.map(b, "x").join("")).join("").matches("(y+)+z")',
  ])('stops an expression that exceeds the step limit: %s', (source) => {
    expect(evaluate(source)).toEqual({ failure: expect.stringContaining('needs more than') });
  });
});

const parseReads = (source: string) => {
  const expression = createCelParser().parse(source, 'object');
  if (typeof expression === 'string') throw new Error(expression);
  return expression.reads;
};

describe('topLevelFieldsRead and readsContent report the reads of', () => {
  test.each<[string, readonly string[] | undefined, boolean]>([
    ['object.metadata.name.startsWith("a")', ['metadata'], false],
    ['object.metadata.namespace == "shop" && object.kind == "Endpoints"', ['metadata', 'kind'], false],
    ['has(object.metadata.labels)', ['metadata'], true],
    ['has(object.metadata.labels) && object.metadata.labels["a"] == "b"', ['metadata'], true],
    ['size(object.subsets) > 1', ['subsets'], true],
    ['object.endpoints.all(e, e.conditions.ready)', ['endpoints'], true],
    ['object["metadata"].name == "a"', undefined, true],
    ['object == oldObject', undefined, true],
    ['[1].all(object, object == 1)', undefined, true],
    ['operation == "CREATE"', [], false],
  ])('%s', (source, fields, content) => {
    const reads = parseReads(source);
    const result = topLevelFieldsRead(reads, 'object');
    expect(result && [...result]).toEqual(fields);
    expect(readsContent(reads)).toBe(content);
  });
});

describe('an expression can test', () => {
  const address = { ip: '10.0.0.1' };
  const object = { kind: 'Endpoints', metadata: { name: 'web', namespace: 'shop' }, subsets: [{ addresses: [address] }] };
  const matches = (expression: string): boolean => {
    const rules: EndpointOverrides = { rules: [{ name: 'a', match: { expression }, action: { keepOut: {} } }] };
    return createOverrides(rules)
      .apply({ operation: 'UPDATE', object, oldObject: object, now: new Date(0) })
      .decisions.some(({ code }) => code === 'KeptOut');
  };

  test.each([
    ['an existing field', 'object.metadata.name == "web"', true],
    ['the absence of a field', 'has(object.ports)', false],
    ['a field and the whole object', 'object.metadata.name == "web" && size(object) == 3', true],
    ['fields of two objects', 'object.metadata.name == oldObject.metadata.name', true],
    ['the absence of the Service', 'service == null', true],
    ['nested lists', 'object.subsets[0].addresses[0].ip == "10.0.0.1"', true],
  ])('%s', (_, expression, expected) => {
    expect(matches(expression)).toBe(expected);
  });
});
