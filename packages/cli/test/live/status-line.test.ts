import { expect, test } from 'vitest';
import { createStatusLine } from '../../src/live/observer.ts';

/** A terminal that records its output, and a clock whose calls run on demand. */
function createTerminal(isTTY: boolean, columns = 80) {
  const outputs: string[] = [];
  const scheduled: (() => void)[] = [];
  const clock = {
    now: () => 0,
    schedule: (call: () => void) => {
      scheduled.push(call);
      return { cancel: () => void scheduled.splice(scheduled.indexOf(call), 1) };
    },
  };
  const output = { isTTY, columns, writableNeedDrain: false, write: (text: string) => void outputs.push(text) };
  return { outputs, scheduled, clock, output };
}

test('the status line is rewritten in place on a terminal, at most once per interval, and stays below other output', () => {
  const { outputs, scheduled, clock, output } = createTerminal(true);
  let text = 'one';
  const line = createStatusLine(output, clock, () => text);
  line.refresh();
  line.refresh();
  expect(outputs).toEqual([]);
  expect(scheduled).toHaveLength(1);
  scheduled.shift()?.();
  text = 'two';
  line.write('a log line\n');
  expect(outputs).toEqual(['\r\u001b[Kone', '\r\u001b[Ka log line\n', '\r\u001b[Ktwo']);
  line.refresh();
  line.close();
  expect(scheduled).toEqual([]);
  expect(outputs.at(-1)).toBe('\r\u001b[K');
  line.refresh();
  line.write('after\n');
  line.close();
  expect(outputs.slice(4)).toEqual(['after\n']);
});

test('the status line is truncated to the terminal width', () => {
  const { outputs, scheduled, clock, output } = createTerminal(true, 10);
  createStatusLine(output, clock, () => 'x'.repeat(30)).refresh();
  scheduled.shift()?.();
  expect(outputs).toEqual([`\r\u001b[K${'x'.repeat(9)}`]);
});

test('the status line is not drawn outside a terminal', () => {
  const { outputs, scheduled, clock, output } = createTerminal(false);
  const line = createStatusLine(output, clock, () => 'text');
  line.refresh();
  line.write('{}\n');
  line.close();
  expect({ outputs, scheduled }).toEqual({ outputs: ['{}\n'], scheduled: [] });
});

test('the status line is not drawn while the output needs to drain', () => {
  const { outputs, scheduled, clock, output } = createTerminal(true);
  const line = createStatusLine(output, clock, () => 'text');
  output.writableNeedDrain = true;
  line.refresh();
  scheduled.shift()?.();
  expect([outputs, line.writableNeedDrain]).toEqual([[], true]);
  output.writableNeedDrain = false;
  line.refresh();
  scheduled.shift()?.();
  expect([outputs, line.writableNeedDrain]).toEqual([['\r\u001b[Ktext'], false]);
});
