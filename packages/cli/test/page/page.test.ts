import { createHash } from 'node:crypto';
import { checkRollout, type RolloutCheck } from '@kube-endpoints/simulator';
import type { ApiObject } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { renderPage } from '../../src/page/page.ts';

const labels = { app: 'web' };

const deployment = (image: string): ApiObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { namespace: 'shop', name: 'web' },
  spec: {
    replicas: 2,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'web', image, ports: [{ containerPort: 8080 }] }] } },
  },
});

const service: ApiObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: 'shop', name: 'web' },
  spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }] },
};

const check = checkRollout({ objects: [service, deployment('web:1')], change: [deployment('web:2')], seeds: 0 });
const options = { kind: 'Simulated rollout', subject: 'Deployment shop/web', source: ['old.yaml', 'new.yaml'] };
const page = renderPage(check, options);

const contentsOf = (html: string, tag: string): string[] =>
  [...html.matchAll(new RegExp(`<${tag}\\b[^>]*>(.*?)</${tag}>`, 'gs'))].map(([, content]) => content ?? '');

describe('the page of a rollout', () => {
  test('begins with the answer, the drops and the fix', () => {
    const [header = ''] = contentsOf(page, 'header');
    expect(header).toContain('Requests fail in 8 of 8 runs.');
    expect(check.worst.drops.length).toBeGreaterThan(0);
    expect(header.match(/<li><button type="button" data-entry="\d+">/g)).toHaveLength(check.worst.drops.length);
    for (const { summary } of check.fix?.parts ?? []) expect(header).toContain(summary);
  });

  test('has no fix if none was searched', () => {
    expect(page).toContain('How to fix it');
    const { fix: _, ...withoutFix } = check;
    expect(renderPage(withoutFix, options)).not.toContain('How to fix it');
  });

  test('allows its own script and style only', () => {
    const hashOf = (text: string): string => `&#39;sha256-${createHash('sha256').update(text).digest('base64')}&#39;`;
    const [, script = ''] = contentsOf(page, 'script');
    const [style = ''] = contentsOf(page, 'style');
    const [, policy] = /Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
    expect(policy).toBe(
      `default-src &#39;none&#39;; script-src ${hashOf(script)}; style-src ${hashOf(style)}; img-src data:; base-uri &#39;none&#39;; form-action &#39;none&#39;`,
    );
    expect(page).not.toMatch(/\b(src|href)="(?!#|data:,)/);
  });

  test('is the same for the same check', () => {
    const again = checkRollout({ objects: [service, deployment('web:1')], change: [deployment('web:2')], seeds: 0, searchesFix: false });
    const { fix: _, ...withoutFix } = check;
    expect(renderPage(again, options) === renderPage(withoutFix, options)).toBe(true);
  });

  test('labels the periods in which requests to a pod fail', () => {
    expect(page).toMatch(
      /<button type="button" class="fails" data-at="\d+">\d+\.\d–\d+\.\d s: (closed, still routed|routed, not open yet)<\/button>/,
    );
    expect(page).toContain('<text class="fail-text"');
  });
});

const hostile = '</script><script>alert(1)</script><img src=x onerror=alert(1)>"\'\u202e';

test('a page shows hostile names as text', () => {
  const name = JSON.stringify(hostile).slice(1, -1);
  const renamed = JSON.parse(JSON.stringify(check).replaceAll('web-', name).replaceAll('Stopping container', name)) as RolloutCheck;
  const html = renderPage(renamed, { ...options, subject: hostile, source: [hostile] });
  expect(html).not.toContain('<img');
  expect(html).not.toContain('<script>alert');
  expect(html).not.toContain('\u202e');
  expect(html.match(/<\/?script/g)).toHaveLength(4);
  const [data = ''] = contentsOf(html, 'script');
  expect(JSON.stringify(JSON.parse(data))).toContain('</script><script>alert(1)</script>');
});
