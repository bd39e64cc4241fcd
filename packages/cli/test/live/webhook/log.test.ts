import { createOverrides } from '@kube-endpoints/overrides';
import type { WebhookEvent } from '@kube-endpoints/overrides/webhook';
import { expect, test } from 'vitest';
import { createWebhookObserver, listMissingInputs } from '../../../src/live/webhook/log.ts';

const overrides = createOverrides({ rules: [{ name: 'gold', match: { serviceLabels: 'tier=gold' }, action: { keepOut: {} } }] });

function logEvent(event: WebhookEvent, { connected = true } = {}): readonly string[] {
  const lines: string[] = [];
  createWebhookObserver(
    { log: (level, message, fields) => void lines.push(`${level} ${message} ${JSON.stringify(fields ?? {})}`) },
    connected,
  )(event);
  return lines;
}

test.each<[WebhookEvent, readonly string[]]>([
  [
    { kind: 'policy', reason: 'late', uid: 'u', problem: 'p' },
    ['warn answered by the failure policy {"reason":"late","uid":"u","problem":"p"}'],
  ],
  [
    { kind: 'policy', reason: 'notConcerned', uid: '', problem: 'p' },
    ['debug answered by the failure policy {"reason":"notConcerned","problem":"p"}'],
  ],
  [{ kind: 'rules', overrides }, ['info rules are in force {"rules":1}']],
  [{ kind: 'certificate', expires: 'e' }, ['info certificate is in use {"expires":"e"}']],
  [
    { kind: 'reloadFailed', what: 'rules', problems: ['a', 'b'] },
    [
      'error new rules rejected, keeping the previous ones {"problem":"a"}',
      'error new rules rejected, keeping the previous ones {"problem":"b"}',
    ],
  ],
  [{ kind: 'closing', open: 2 }, ['info stopping after the reviews in progress {"open":2}']],
])('the webhook log reports %j', (event, lines) => {
  expect(logEvent(event)).toEqual(lines);
});

test('the webhook log warns about rules that cannot match without a cluster', () => {
  expect(logEvent({ kind: 'rules', overrides }, { connected: false })).toHaveLength(2);
  expect(listMissingInputs(overrides)).toEqual(['the Service']);
  expect(listMissingInputs({ needs: { service: true, pods: true, otherSlices: true } })).toEqual([
    'the Service',
    'its pods',
    'its other slices',
  ]);
});
