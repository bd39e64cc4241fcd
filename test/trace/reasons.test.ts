import { describe, expect, it } from 'vitest';
import { traceReasons } from '../../src/trace/index.ts';
import type { TraceReasonRow } from '../../src/trace/reasons.ts';
import { listFiles, readTextFile } from '../support/repository.ts';

const rows = Object.entries<TraceReasonRow>(traceReasons);
const sources = listFiles('src/trace', '.ts').filter((path) => path !== 'src/trace/reasons.ts');
const text = sources.map(readTextFile).join('\n');

describe('traceReasons', () => {
  it.each(rows)('%s has a message, is used, and is documented', (code, { message, remedy }) => {
    expect(message).toMatch(/^[A-Z{].*\.$/);
    if (remedy !== undefined) expect(remedy).toMatch(/^[A-Z].*\.$/);
    const isComposed = /^(Internal|External)Policy(Cluster|Local)$/.test(code);
    expect(isComposed || text.includes(`'${code}'`)).toBe(true);
    expect(readTextFile('docs/semantics/trace.md')).toContain(`\`${code}\``);
  });
});
