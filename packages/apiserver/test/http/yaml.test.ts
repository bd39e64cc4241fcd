import { expect, test } from 'vitest';
import { readYaml, writeYaml } from '../../src/http/yaml.ts';

test('keys and values have the same types as in kube-apiserver', async () => {
  const text = 'yes: "1"\n1: a\n1.5: b\noctal: 010\non: off\ntime: 2001-01-01\nbinary: !!binary aGk=\nminutes: 1:30\n<<: {merged: x}\n';
  const { value, problem } = await readYaml(text);
  expect(problem).toBeUndefined();
  expect(value).toEqual({
    true: false,
    1: 'a',
    '1.5': 'b',
    octal: 8,
    time: '2001-01-01',
    binary: 'aGk=',
    minutes: '1:30',
    merged: 'x',
  });
});

test('only the first document is read, and an empty one is null', async () => {
  expect((await readYaml('a: 1\n---\nb: 2\n')).value).toEqual({ a: 1 });
  expect((await readYaml('')).value).toBeNull();
  expect((await readYaml('# nothing\n')).value).toBeNull();
});

test('duplicate keys are reported with their lines', async () => {
  const { value, duplicateKeyMessages } = await readYaml('a: 1\nb:\n  c: 1\n  c: 2\na: 3\n');
  expect(value).toEqual({ a: 3, b: { c: 2 } });
  expect([...duplicateKeyMessages].sort()).toEqual(['line 4: key "c" already set in map', 'line 5: key "a" already set in map']);
});

test.each([
  ['a: b: c', 'yaml: mapping values are not allowed in this context'],
  ['c: *z\n', "yaml: unknown anchor 'z' referenced"],
  ['a: 1\nb: c: d', 'yaml: line 2: mapping values are not allowed in this context'],
  ['a: &x {b: *x}\n', "yaml: anchor 'x' value contains itself"],
  ['~: "x"', 'unsupported map key of type: %!s(<nil>), key: <nil>, value: "x"'],
])('%j is refused with the message of the Go parser', async (text, problem) => {
  expect((await readYaml(text)).problem).toBe(problem);
});

test('excessive aliasing is refused', async () => {
  const levels = Array.from({ length: 20 }, (_, level) => `a${level + 1}: &a${level + 1} [${Array(9).fill(`*a${level}`).join(',')}]`);
  const { problem } = await readYaml(`a0: &a0 [x]\n${levels.join('\n')}\n`);
  expect(problem).toBe('yaml: document contains excessive aliasing');
});

test('YAML that is nested too deeply is refused', async () => {
  for (const text of ['['.repeat(100_000), '['.repeat(1100) + ']'.repeat(1100)]) {
    expect((await readYaml(text)).problem).toBe('yaml: exceeded max depth of 10000');
  }
});

test('__proto__ is an ordinary key', async () => {
  const { value } = await readYaml('__proto__: {a: 1}\n');
  expect(Object.hasOwn(value as object, '__proto__')).toBe(true);
  expect(({} as { a?: number }).a).toBeUndefined();
});

test('written YAML is read back unchanged, including strings that look like other types', async () => {
  const value = { yes: 'no', n: '1', t: '2001-01-01', l: ['a\nb', '', null, 1, true], o: {} };
  expect((await readYaml(await writeYaml(JSON.stringify(value)))).value).toEqual(value);
  expect(await writeYaml('{"b":1,"a":{"d":"x","c":"z"}}')).toBe('a:\n  c: z\n  d: x\nb: 1\n');
});
