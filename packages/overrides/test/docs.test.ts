import { expect, test } from 'vitest';
import { readMarkdown } from '../../../test/support/markdown.ts';
import { readTextFile } from '../../../test/support/repository.ts';
import { decisionMessages, readRules } from '../src/index.ts';

test('the docs list every decision code and no others', () => {
  const rows =
    readTextFile('docs/semantics/overrides.md')
      .split('## Codes')[1]
      ?.match(/^\| (`\w+`(?:, `\w+`)*) \|/gm) ?? [];
  const codes = rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, code]) => code));
  expect(codes.toSorted()).toEqual(Object.keys(decisionMessages).toSorted());
});

const page = readTextFile('docs/cookbook/override-endpoints.md');

test('the rules in the cookbook equal the example and are valid', () => {
  const yamlBlocks = readMarkdown(page).blocks.filter(({ language }) => language === 'yaml');
  expect(yamlBlocks.map(({ text }) => text.trimEnd())).toEqual([readTextFile('examples/overrides/rules.yaml').trimEnd()]);
  expect(readRules(readTextFile('examples/overrides/rules.yaml')).rules).toEqual(['no-loopback', 'rack-b-out', 'half-stays']);
});

test('the cookbook describes every metric', () => {
  const families = readTextFile('packages/overrides/src/webhook/metrics.ts').matchAll(/family\(\s*'(\w+)'/g);
  const undocumentedMetrics = [...families]
    .map(([, name]) => `kube_endpoints_webhook_${name}`)
    .filter((name) => !page.includes(`\`${name}\``));
  expect(undocumentedMetrics).toEqual([]);
});
