import { describe, expect, test } from 'vitest';
import { createCelValues } from '../../cel/src/bounded.ts';
import { createCelReader, fieldsRead, maxCelSteps, readsContent } from '../src/cel.ts';
import { createOverrides, type EndpointOverrides } from '../src/index.ts';
import { isInPercentage, matcherOfNames, readSelector } from '../src/match/match.ts';
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
])('name patterns %j match %s: %s', (names, text, expected) => {
  expect(matcherOfNames(names)(text)).toBe(expected);
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
])('selector %s matches %j: %s', (text, labels, expected) => {
  const read = readSelector(text);
  expect('matches' in read && read.matches(labels)).toBe(expected);
});

test.each([
  [' ', 'there is no requirement in it'],
  ['app=web,', "found '', expected: identifier after ','"],
  ['app=web)', "found ')', expected: ',' or 'end of string'"],
  ['tier in (a', "unable to parse requirement: found '', expected: ',' or ')'"],
  ['-a', expect.stringContaining('Invalid value: "-a": name part must consist of')],
  ['a=-b', expect.stringContaining('values[0][a]: Invalid value: "-b": a valid label must be')],
])('refuses the selector %j', (text, problem) => {
  expect(readSelector(text)).toEqual({ problem });
});

test('percentage shares are accurate, and larger ones include smaller ones', () => {
  const names = Array.from({ length: 10_000 }, (_, place) => `10.0.${place >> 8}.${place & 255}`);
  const counts = [0, 10, 50, 100].map((share) => names.filter((name) => isInPercentage(name, share)).length);
  expect([counts[0], counts[3]]).toEqual([0, 10_000]);
  expect(Math.abs((counts[1] as number) - 1000)).toBeLessThan(150);
  expect(names.every((name) => !isInPercentage(name, 10) || isInPercentage(name, 50))).toBe(true);
});

describe('the end of a time window', () => {
  test.each<[string, TimeWindow, string, string | undefined]>([
    ['before it', { from: '2026-03-04T12:00:00Z' }, '2026-03-04T11:59:59Z', undefined],
    ['without an end', { from: '2026-03-04T12:00:00Z' }, '2026-03-04T12:00:00Z', 'never'],
    ['once', { from: '2026-03-04T12:00:00+02:00', to: '2026-03-04T12:00:00Z' }, '2026-03-04T11:00:00Z', '2026-03-04T12:00:00.000Z'],
    ['its end is outside', { to: '2026-03-04T12:00:00Z' }, '2026-03-04T12:00:00Z', undefined],
    ['every day', { start: '10:00', end: '12:30' }, '2026-03-04T10:00:30Z', '2026-03-04T12:30:00.000Z'],
    ['over midnight, before', { start: '22:00', end: '06:00' }, '2026-03-04T23:00:00Z', '2026-03-05T06:00:00.000Z'],
    ['over midnight, behind', { start: '22:00', end: '06:00' }, '2026-03-05T05:59:59Z', '2026-03-05T06:00:00.000Z'],
    ['over midnight, outside', { start: '22:00', end: '06:00' }, '2026-03-05T06:00:00Z', undefined],
    [
      'the night belongs to the day before',
      { days: ['Tue'], start: '22:00', end: '06:00' },
      '2026-03-04T05:00:00Z',
      '2026-03-04T06:00:00.000Z',
    ],
    ['the night of another day', { days: ['Wed'], start: '22:00', end: '06:00' }, '2026-03-04T05:00:00Z', undefined],
    ['days in a row', { days: ['Wed', 'Thu', 'Sat'] }, '2026-03-04T05:00:00Z', '2026-03-06T00:00:00.000Z'],
    ['all days', { days: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] }, '2026-03-04T05:00:00Z', 'never'],
    ['in a zone', { start: '09:00', end: '17:00', timeZone: 'America/New_York' }, '2026-03-04T14:00:00Z', '2026-03-04T22:00:00.000Z'],
    ['in a zone, outside', { start: '09:00', end: '17:00', timeZone: 'America/New_York' }, '2026-03-04T13:59:00Z', undefined],
    [
      'as clocks go forward',
      { start: '22:00', end: '06:00', timeZone: 'Europe/Berlin' },
      '2026-03-28T23:00:00Z',
      '2026-03-29T04:00:00.000Z',
    ],
    ['as clocks go back', { start: '22:00', end: '06:00', timeZone: 'Europe/Berlin' }, '2026-10-24T22:00:00Z', '2026-10-25T05:00:00.000Z'],
    ['cut off by "to"', { start: '10:00', end: '12:30', to: '2026-03-04T11:00:00Z' }, '2026-03-04T10:30:00Z', '2026-03-04T11:00:00.000Z'],
  ])('%s', (_, window, now, end) => {
    const found = compileWindow(window).endOf(Date.parse(now));
    expect(found === undefined ? undefined : found === Number.POSITIVE_INFINITY ? 'never' : new Date(found).toISOString()).toBe(end);
  });
});

describe('CEL', () => {
  const values = createCelValues();
  const addresses = Array.from({ length: 1000 }, (_, place) => ({ ip: `10.0.0.${place}` }));
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
    const read = createCelReader().read(source, 'object');
    return typeof read === 'string' ? read : read.evaluate({ variables, values, meter: { left: maxCelSteps } });
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
  ])('%s', (source, expected) => {
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
  ])('%s fails without throwing', (source) => {
    expect(evaluate(source)).toEqual({ failure: expect.any(String) });
  });

  test.each([
    'pods.all(a, pods.all(b, pods.all(c, pods.all(d, a.ip + b.ip + c.ip + d.ip != "x"))))',
    'pods.map(a, pods.map(b, pods.map(c, c.ip))).size() == 1',
    `[1].map(a, [1, 2, 3, 4])${'.map(a, a + a)'.repeat(40)}.size() == 1`,
    `${'cel.bind(a, '.repeat(0)}pods.exists(a, pods.exists(b, pods == object || a.ip == "x"))`,
    'pods.map(a, pods.map(b, "x").join("")).join("").matches("(y+)+z")',
  ])('stops an expression that exceeds the step limit: %s', (source) => {
    expect(evaluate(source)).toEqual({ failure: expect.stringContaining('more work than') });
  });
});

const readsOf = (source: string) => {
  const expression = createCelReader().read(source, 'object');
  if (typeof expression === 'string') throw new Error(expression);
  return expression.reads;
};

describe('the fields that an expression reads', () => {
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
    const reads = readsOf(source);
    const read = fieldsRead(reads, 'object');
    expect(read && [...read]).toEqual(fields);
    expect(readsContent(reads)).toBe(content);
  });
});

describe('an expression can use', () => {
  const address = { ip: '10.0.0.1' };
  const object = { kind: 'Endpoints', metadata: { name: 'web', namespace: 'shop' }, subsets: [{ addresses: [address] }] };
  const matches = (expression: string): boolean => {
    const rules: EndpointOverrides = { rules: [{ name: 'a', match: { expression }, action: { keepOut: {} } }] };
    return createOverrides(rules)
      .apply({ operation: 'UPDATE', object, oldObject: object, now: new Date(0) })
      .decisions.some(({ code }) => code === 'KeptOut');
  };

  test.each([
    ['a field that is there', 'object.metadata.name == "web"', true],
    ['that one is not', 'has(object.ports)', false],
    ['a field beside the whole', 'object.metadata.name == "web" && size(object) == 3', true],
    ['fields of two objects', 'object.metadata.name == oldObject.metadata.name', true],
    ['that there is no Service', 'service == null', true],
    ['lists within', 'object.subsets[0].addresses[0].ip == "10.0.0.1"', true],
  ])('%s', (_, expression, expected) => {
    expect(matches(expression)).toBe(expected);
  });
});
