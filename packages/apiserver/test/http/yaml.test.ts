import { expect, test } from 'vitest';
import { createYamlReader, writeYaml } from '../../src/http/yaml.ts';

const readYaml = createYamlReader();

test('keys and values have the same types as in kube-apiserver', async () => {
  const text = 'yes: "1"\n1: a\n1.5: b\noctal: 010\non: off\ntime: 2001-01-01\nbinary: !!binary aGk=\nminutes: 1:30\n<<: {merged: x}\n';
  expect(await readYaml(text)).toStrictEqual({
    value: {
      true: false,
      1: 'a',
      '1.5': 'b',
      octal: 8,
      time: '2001-01-01',
      binary: 'hi',
      minutes: '1:30',
      merged: 'x',
    },
    duplicateKeyMessages: ['line 5: key true already set in map'],
  });
});

test('only the first document is read, and an empty one is null', async () => {
  for (const text of ['a: 1\n---\nb: 2\n', '# c\n---\na: 1\n--- "', '--- {a: 1}\n...\n]', '%YAML 1.1\n---\na: 1\n---\n[']) {
    expect((await readYaml(text)).value).toStrictEqual({ a: 1 });
  }
  for (const text of ['', '# nothing\n', '---\n---\na: 1\n']) expect((await readYaml(text)).value).toBeNull();
});

test('duplicate keys are reported with the lines of their values', async () => {
  expect(await readYaml('a: 1\nb:\n  c: 1\n  c: 2\na:\n  3\n1: x\n1: z\n')).toStrictEqual({
    value: { 1: 'z', a: 3, b: { c: 2 } },
    duplicateKeyMessages: ['line 4: key "c" already set in map', 'line 6: key "a" already set in map', 'line 8: key 1 already set in map'],
  });
});

test.each([
  ['a: b: c', 'yaml: mapping values are not allowed in this context'],
  ['c: *z\n', "yaml: unknown anchor 'z' referenced"],
  ['a: 1\nb: c: d', 'yaml: line 2: mapping values are not allowed in this context'],
  ['a: &x {b: *x}\n', "yaml: anchor 'x' value contains itself"],
  ['~: "x"', 'unsupported map key of type: %!s(<nil>), key: <nil>, value: "x"'],
  ['a: .inf', 'json: unsupported value: +Inf'],
  ['a: \u0001', 'yaml: control characters are not allowed'],
  ['a:\n- b\nc', "yaml: line 4: could not find expected ':'"],
])('%j is refused with the message of the Go parser', async (text, problem) => {
  expect(await readYaml(text)).toStrictEqual({ value: undefined, duplicateKeyMessages: [], problem });
});

test('excessive aliasing is refused', async () => {
  const levels = Array.from({ length: 20 }, (_, level) => `a${level + 1}: &a${level + 1} [${Array(9).fill(`*a${level}`).join(',')}]`);
  const { problem } = await readYaml(`a0: &a0 [x]\n${levels.join('\n')}\n`);
  expect(problem).toBe('yaml: document contains excessive aliasing');
});

test('YAML that is nested too deeply is refused', async () => {
  for (const text of ['['.repeat(100_000), '['.repeat(1100) + ']'.repeat(1100), '- '.repeat(1100), `${'? '.repeat(1100)}a`]) {
    expect((await readYaml(text)).problem).toBe('yaml: exceeded max depth of 10000');
  }
});

test('__proto__ is an ordinary key', async () => {
  const { value } = await readYaml('__proto__: {a: 1}\n');
  expect(Object.hasOwn(value as object, '__proto__')).toBe(true);
  expect(({} as { a?: number }).a).toBeUndefined();
});

test('other work runs while a long text is parsed, and long texts are parsed one at a time', async () => {
  const order: string[] = [];
  const parse = async (name: string, text: string): Promise<void> => {
    await readYaml(text);
    order.push(name);
  };
  const tick = async (): Promise<void> => {
    for (let i = 0; i < 10; i++) await new Promise(setImmediate);
    order.push('other work');
  };
  await Promise.all([
    parse('long', '- a\n'.repeat(100_000)),
    parse('second long', '- a\n'.repeat(20_000)),
    parse('short', '- a\n'),
    tick(),
  ]);
  expect(order).toStrictEqual(['short', 'other work', 'long', 'second long']);
});

test('written YAML is read back unchanged, including strings that look like other types', async () => {
  const value = { yes: 'no', n: '1', t: '2001-01-01', l: ['a\nb', '', null, 1, true], o: {} };
  expect((await readYaml(await writeYaml(JSON.stringify(value)))).value).toStrictEqual(value);
  expect(await writeYaml('{"b":1,"a":{"d":"x","c":"z"}}')).toBe('a:\n  c: z\n  d: x\nb: 1\n');
});
