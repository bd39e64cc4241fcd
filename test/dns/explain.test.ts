import { describe, expect, it } from 'vitest';
import { explainAnswer, mendAnswer } from '../../src/dns/index.ts';

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

describe('mendAnswer', () => {
  it('returns a remedy for a problem, and undefined otherwise', () => {
    expect(mendAnswer({ code: 'NamespaceNotFound', values: { namespace: 'shop' } })).toMatch(/create the namespace/);
    expect(mendAnswer({ code: 'ServiceAddress', values: {} })).toBeUndefined();
  });
});
