import { expect, it } from 'vitest';
import { answerQuestion } from '../../src/dns/index.ts';
import { shopObjects } from './cluster.ts';

it('answerQuestion creates a zone for a single question', () => {
  const question = { name: 'web.shop.svc.k8s.example.org', type: 'A' };
  expect(answerQuestion(question, shopObjects, { zones: ['k8s.example.org'], ttl: 30 }).reply?.answer).toEqual([
    { name: 'web.shop.svc.k8s.example.org.', ttl: 30, type: 'A', address: '10.0.0.1' },
  ]);
  expect(answerQuestion(question, {}).reason.code).toBe('NotInZone');
});
