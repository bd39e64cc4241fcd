import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { estimateCost } from '../../../src/cel/cost/estimate.ts';
import { validateSchema } from '../../../src/custom-resources/definition/validate/schema.ts';
import { compileRules } from '../../../src/custom-resources/rules/index.ts';
import { createSize, type SchemaSize, sizeAtPath } from '../../../src/custom-resources/rules/sizes.ts';
import { collectCauses } from '../../../src/resources/field/causes.ts';
import { costCases, definitionCases } from './cases.ts';

interface Problem {
  readonly type: string;
  readonly field: string;
  readonly message: string;
}

interface Answer {
  readonly id: string;
  readonly problem?: string;
  readonly costs?: readonly string[];
  readonly definition?: readonly Problem[];
}

const recordedLines = gunzipSync(readFileSync(join(import.meta.dirname, 'answers.jsonl.gz')))
  .toString()
  .trim()
  .split('\n');
const answers = new Map(recordedLines.map((line) => JSON.parse(line) as Answer).map((answer) => [answer.id, answer]));

test('recorded answers cover every case', () => {
  expect([...costCases, ...definitionCases].map(({ id }) => id)).toStrictEqual([...answers.keys()]);
});

const compiledCases = costCases.filter(({ id }) => answers.get(id)?.problem === undefined);

test.each(compiledCases.map((each) => [each.id, each] as const))(
  'the estimated cost is that of kube-apiserver 1.36.3: %s',
  (id, { schema }) => {
    const size = createSize(schema, false) as SchemaSize;
    const program = compileRules(schema)?.root?.rules[0]?.program;
    const cost = program && estimateCost(program.ast, (path) => sizeAtPath(size, path));
    expect([String(cost?.max)]).toStrictEqual(answers.get(id)?.costs);
  },
);

describe('a definition with expensive rules', () => {
  const findProblems = (schema: object, old?: object): readonly Problem[] => {
    const causes = collectCauses();
    validateSchema({ openAPIV3Schema: schema }, { hasStatus: false, old }, 'spec.validation', causes);
    return causes.list
      .map(({ reason, field, message }) => ({ type: reason, field, message }))
      .toSorted((a, b) => (a.field < b.field ? -1 : a.field > b.field ? 1 : 0));
  };

  test.each(definitionCases.map((each) => [each.id, each] as const))('is refused as by kube-apiserver 1.36.3: %s', (id, { schema }) => {
    expect(findProblems(schema)).toStrictEqual(answers.get(id)?.definition);
  });

  test('may keep a schema whose total is within the budget', () => {
    const { schema } = definitionCases[10] as (typeof definitionCases)[number];
    expect(findProblems(schema, schema)).toStrictEqual([]);
  });
});
