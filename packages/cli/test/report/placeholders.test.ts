import { expect, test } from 'vitest';
import { runLine } from '../fake-io.ts';

const files = {
  'web.yaml':
    'apiVersion: v1\nkind: Service\nmetadata: { name: web, namespace: shop }\nspec: { selector: { app: web }, ports: [{ port: 80 }] }\n' +
    '---\napiVersion: v1\nkind: Service\nmetadata: { name: api, namespace: shop }\nspec: { clusterIP: 10.96.0.9, selector: { app: api }, ports: [{ port: 80 }] }\n',
};
const placeholder = /\b(?:192\.0\.2|198\.51\.100|203\.0\.113|198\.1[89])\.|2001:db8:/;

test.each([
  ['trace web.shop -o wide', '<cluster IP of shop/web>'],
  ['trace web.shop -o json', '<cluster IP of shop/web>'],
  ['trace web.shop -o html', '&lt;cluster IP of shop/web&gt;'],
  ['resolve web.shop', '<cluster IP of shop/web>'],
  ['resolve web.shop -o json', '<cluster IP of shop/web>'],
  ['proxy view --node n1 -n shop', '<cluster IP of shop/web>:80/TCP'],
  ['proxy view --node n1 -n shop', '10.96.0.9:80/TCP'],
])('%s shows no placeholder as an address', async (line, text) => {
  const { stdout } = await runLine(`${line} -f web.yaml`, { files });
  expect(stdout).toContain(text);
  expect(stdout).not.toMatch(placeholder);
});
