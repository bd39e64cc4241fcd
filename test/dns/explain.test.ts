import { describe, expect, it } from 'vitest';
import { explainAnswer, mendAnswer } from '../../src/dns/index.ts';

describe('explainAnswer', () => {
  it('puts values into their places', () => {
    expect(explainAnswer({ code: 'ServiceNotFound', values: { service: 'web', namespace: 'shop' } })).toBe(
      'There is no Service web in namespace shop.',
    );
  });

  it('takes values as they are, and leaves a place that has none', () => {
    expect(explainAnswer({ code: 'ServiceNotFound', values: { service: '$&{namespace}' } })).toBe(
      'There is no Service $&{namespace} in namespace {namespace}.',
    );
  });
});

describe('mendAnswer', () => {
  it('is a hint where something is wrong, and none where nothing is', () => {
    expect(mendAnswer({ code: 'NamespaceNotFound', values: { namespace: 'shop' } })).toMatch(/create the namespace/);
    expect(mendAnswer({ code: 'ServiceAddress', values: {} })).toBeUndefined();
  });
});
