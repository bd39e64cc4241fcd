import { describe, expect, it } from 'vitest';
import { validateConversion } from '../../../../src/custom-resources/definition/validate/conversion.ts';
import { approvalOf, isProtectedGroup } from '../../../../src/custom-resources/definition/validate/definition.ts';
import { validateNames } from '../../../../src/custom-resources/definition/validate/names.ts';
import { makeDefinition, problemLinesOf } from '../../support.ts';

describe('validateNames', () => {
  it('requires DNS labels, with mixed case for kinds', () => {
    const names = { plural: 'A', singular: 'a b', kind: 'Kind_', listKind: 'ThingList', shortNames: ['ok', 'Bad'], categories: ['-'] };
    expect(problemLinesOf((causes) => validateNames(names, 'n', causes)).map((line) => line.split(': ')[0])).toEqual([
      'n.plural',
      'n.singular',
      'n.kind',
      'n.shortNames[1]',
      'n.categories[0]',
    ]);
    expect(problemLinesOf((causes) => validateNames({ kind: 'Thing', listKind: 'Thing' }, 'n', causes))).toEqual([
      'n.listKind: Invalid value: "Thing": kind and listKind may not be the same',
    ]);
  });
});

describe('validateConversion', () => {
  const problemsOf = (conversion: object, spec: object = {}): string[] =>
    problemLinesOf((causes) => validateConversion({ conversion, ...spec }, causes));
  const webhook = { clientConfig: { url: 'https://a.example.com/x' }, conversionReviewVersions: ['v1'] };

  it('accepts only the strategies None and Webhook, and only None if preserveUnknownFields is true', () => {
    expect(problemsOf({ strategy: 'None' })).toEqual([]);
    expect(problemsOf({ strategy: 'Webhook', webhook })).toEqual([]);
    expect(problemsOf({})).toEqual(['spec.conversion.strategy: Required value']);
    expect(problemsOf({ strategy: 'Odd' })).toEqual([
      'spec.conversion.strategy: Unsupported value: "Odd": supported values: "None", "Webhook"',
    ]);
    expect(problemsOf({ strategy: 'Webhook', webhook }, { preserveUnknownFields: true })).toEqual([
      'spec.conversion.strategy: Invalid value: "Webhook": must be None if spec.preserveUnknownFields is true',
    ]);
  });

  it('requires a webhook for the strategy Webhook, and forbids it otherwise', () => {
    expect(problemsOf({ strategy: 'Webhook' })).toEqual([
      'spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook',
      'spec.conversion.conversionReviewVersions: Required value',
    ]);
    expect(problemsOf({ strategy: 'None', webhook })).toEqual([
      'spec.conversion.webhookClientConfig: Forbidden: should not be set when strategy is not set to Webhook',
      'spec.conversion.conversionReviewVersions: Forbidden: should not be set when strategy is not set to Webhook',
    ]);
    expect(problemsOf({ strategy: 'Webhook', webhook: { ...webhook, conversionReviewVersions: ['v2', 'v2'] } })).toEqual([
      'spec.conversion.conversionReviewVersions[1]: Invalid value: "v2": duplicate version',
      'spec.conversion.conversionReviewVersions: Invalid value: ["v2","v2"]: must include at least one of v1, v1beta1',
    ]);
  });
});

describe('API approval', () => {
  it('isProtectedGroup detects the groups of the Kubernetes project, whose APIs need an approval', () => {
    expect(['k8s.io', 'x.k8s.io', 'kubernetes.io', 'a.kubernetes.io', 'xk8s.io', 'k8s.io.com'].map(isProtectedGroup)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it.each([
    [undefined, 'missing'],
    ['https://example.com/1', 'approved'],
    ['unapproved, for now', 'bypassed'],
    ['yes', 'invalid'],
  ])('approvalOf returns for the annotation %s the state %s', (annotation, state) => {
    const annotations = annotation === undefined ? {} : { 'api-approved.kubernetes.io': annotation };
    expect(approvalOf(makeDefinition({}, { annotations })).state).toBe(state);
  });
});
