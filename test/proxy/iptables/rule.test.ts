import { describe, expect, it, test } from 'vitest';
import { createRule, formatComment, formatJump, formatRule } from '../../../src/proxy/iptables/model.ts';

test.each([
  [
    createRule('shop/web', '-m tcp -p tcp --dport 30080', 'KUBE-EXT-A'),
    '-m comment --comment shop/web -m tcp -p tcp --dport 30080 -j KUBE-EXT-A',
  ],
  [createRule('shop/web cluster IP', '', 'KUBE-SVC-A'), '-m comment --comment "shop/web cluster IP" -j KUBE-SVC-A'],
  [createRule(undefined, '-s 10.0.0.1', 'KUBE-MARK-MASQ'), '-s 10.0.0.1 -j KUBE-MARK-MASQ'],
  [createRule(undefined, '', 'MARK', '--or-mark 0x4000'), '-j MARK --or-mark 0x4000'],
  [createRule('only a comment', '', undefined), '-m comment --comment "only a comment"'],
])('formatRule formats %o', (rule, text) => {
  expect(formatRule(rule)).toBe(text);
});

describe('formatComment', () => {
  it.each([
    ['shop/web:http', 'shop/web:http'],
    ['shop/web -> 10.0.0.1:80', '"shop/web -> 10.0.0.1:80"'],
    ['', '""'],
    ['a" -j ACCEPT', '"a\\" -j ACCEPT"'],
    ['a\\', '"a\\\\"'],
    ["it's", '"it\'s"'],
    ['a\n-A INPUT -j ACCEPT', '"a?-A INPUT -j ACCEPT"'],
  ])('quotes %j as %j', (comment, text) => {
    expect(formatComment(comment)).toBe(text);
  });
});

it('formatJump writes the match before the comment, as kube-proxy expects', () => {
  const jump = { table: 'nat', chain: 'OUTPUT', comment: 'a b', match: '-m conntrack --ctstate NEW', target: 'KUBE-SERVICES' } as const;
  expect(formatJump(jump)).toBe('-m conntrack --ctstate NEW -m comment --comment "a b" -j KUBE-SERVICES');
});
