import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { collectCauses } from '../../../src/resources/field/causes.ts';
import { copyOf, type Draft } from '../../../src/resources/field/read.ts';
import { createKindDescriptions } from '../../../src/resources/kinds/index.ts';
import { mutationCases, policyCases } from './cases.ts';

interface Problem {
  readonly type: string;
  readonly field: string;
  readonly message: string;
}

interface Answer {
  readonly id: string;
  readonly policy?: readonly Problem[];
}

const recordedLines = gunzipSync(readFileSync(join(import.meta.dirname, 'answers.jsonl.gz')))
  .toString()
  .trim()
  .split('\n');
const kindDescriptions = createKindDescriptions();
const answers = new Map(recordedLines.map((line) => JSON.parse(line) as Answer).map((answer) => [answer.id, answer]));

function findProblems(object: object): readonly Problem[] {
  const draft = copyOf(object) as Draft;
  const description = kindDescriptions.find(({ resource }) => resource.kind === draft['kind']);
  const causes = collectCauses();
  description?.strategy.defaults?.(draft);
  description?.strategy.validate?.(draft, causes);
  return causes.list
    .map(({ reason, field, message }) => ({ type: reason, field, message }))
    .toSorted((a, b) => (a.field < b.field ? -1 : a.field > b.field ? 1 : 0));
}

describe('admission policies and bindings are validated as by kube-apiserver 1.36.3', () => {
  test('recorded answers cover every case', () => {
    expect([...policyCases, ...mutationCases].map(({ id }) => id)).toStrictEqual([...answers.keys()]);
  });

  test.each([...policyCases, ...mutationCases].map((each) => [each.id, each] as const))('%s', (id, { policy }) => {
    expect(findProblems(policy)).toStrictEqual(answers.get(id)?.policy ?? []);
  });
});
