import { expect, test } from 'vitest';
import { createLogger } from '../../../src/operations/index.ts';
import { formatLine } from '../../../src/operations/log/logger.ts';
import { queuedEvent, syncedEvent } from '../runtime-events.ts';

const now = Date.UTC(2026, 0, 31, 12, 34, 56, 789);

test('the logger writes one JSON object per line, from the minimum level on', () => {
  const lines: string[] = [];
  const { observer, log, fail } = createLogger({ write: (line) => void lines.push(line), now: () => now });
  observer(syncedEvent({ writes: 1 }));
  observer(syncedEvent());
  observer(queuedEvent());
  log('debug', 'below the level');
  log('warn', 'at the level', { a: 1 });
  fail('it failed', new Error('why'));
  expect(lines).toEqual([
    '{"level":"info","time":"2026-01-31T12:34:56.789Z","controller":"endpoints","namespace":"shop","name":"web","outcome":"success","duration":0.012346,"writes":1,"msg":"written"}\n',
    '{"level":"warn","time":"2026-01-31T12:34:56.789Z","a":1,"msg":"at the level"}\n',
    '{"level":"error","time":"2026-01-31T12:34:56.789Z","error":"why","msg":"it failed"}\n',
  ]);
});

test('the logger writes escaped single-line text in format text', () => {
  const lines: string[] = [];
  const { observer, log, fail } = createLogger({ format: 'text', write: (line) => void lines.push(line), now: () => now });
  observer(syncedEvent({ writes: 2 }));
  log('warn', 'a\u001b[31mb', { names: ['a'], text: 'two words\n' });
  fail('it failed', new Error('why'));
  expect(lines).toEqual([
    '12:34:56.789 info  written controller=endpoints namespace=shop name=web outcome=success duration=0.012346 writes=2\n',
    '12:34:56.789 warn  a\\u001b[31mb names=["a"] text="two words\\n"\n',
    '12:34:56.789 error it failed error=why\n',
  ]);
});

test('the logger writes an error if the entry of an event cannot be created', () => {
  const lines: string[] = [];
  const { observer } = createLogger({ write: (line) => void lines.push(line), now: () => now });
  const error = Object.defineProperty(new Error('why'), 'code', {
    get() {
      throw new Error('it throws');
    },
  });
  observer(syncedEvent({ outcome: 'retried', failures: 1, error }));
  expect(lines).toEqual([
    '{"level":"error","time":"2026-01-31T12:34:56.789Z","kind":"synced","error":"it throws","msg":"cannot format the log entry"}\n',
  ]);
});

const formatFields = (fields: object): string =>
  formatLine(JSON.stringify({ level: 'info', time: '2026-01-31T12:34:56.789Z', ...fields, msg: 'done' }));

test.each<[object, string]>([
  [{}, ''],
  [{ name: 'web', writes: 2, duration: 0.5 }, ' name=web writes=2 duration=0.5'],
  [{ empty: '', text: 'two words' }, ' empty="" text="two words"'],
  [{ list: ['a', 'b'], yes: true }, ' list=["a","b"] yes=true'],
  [{ url: 'http://127.0.0.1:8080' }, ' url=http://127.0.0.1:8080'],
  [{ text: '\u202egnihton' }, ' text="\\u202egnihton"'],
])('formatLine formats the fields %j', (fields, expected) => {
  expect(formatFields(fields)).toBe(`12:34:56.789 info  done${expected}\n`);
});
