import { expect, it } from 'vitest';
import { gatewayReasons } from '../../src/gateway/index.ts';
import { listFiles, readTextFile } from '../support/repository.ts';

it('every reason ends with a full stop, and says what to do if it is a problem', () => {
  for (const [code, { verdict, message, remedy }] of Object.entries(gatewayReasons)) {
    expect(message, code).toMatch(/^[A-Z{s].*\.$/);
    expect(remedy === undefined, code).toBe(verdict === 'ok');
    expect(remedy ?? '.', code).toMatch(/\.$/);
  }
});

it('every reason is expected by a test', () => {
  const tests = listFiles('test/gateway', '.test.ts').map(readTextFile).join('\n');
  expect(Object.keys(gatewayReasons).filter((code) => !new RegExp(`\\b${code}\\b`).test(tests))).toStrictEqual([]);
});
