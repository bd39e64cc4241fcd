import { describe, expect, it } from 'vitest';
import { explainAnswer, suggestRemedy } from '../../src/dns/index.ts';

describe('explainAnswer', () => {
  it('fills in the values', () => {
    expect(explainAnswer({ code: 'ServiceNotFound', values: { service: 'web', namespace: 'shop' } })).toBe(
      'There is no Service web in namespace shop.',
    );
  });

  it('inserts values literally, and keeps a placeholder without a value', () => {
    expect(explainAnswer({ code: 'ServiceNotFound', values: { service: '$&{namespace}' } })).toBe(
      'There is no Service $&{namespace} in namespace {namespace}.',
    );
  });
});

describe('suggestRemedy', () => {
  it('returns a remedy for a problem, and undefined otherwise', () => {
    expect(suggestRemedy({ code: 'NamespaceNotFound', values: { namespace: 'shop' } })).toMatch(/create the namespace/);
    expect(suggestRemedy({ code: 'ServiceAddress', values: {} })).toBeUndefined();
  });
});
