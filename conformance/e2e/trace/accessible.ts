import type { Browser, Page } from 'playwright-core';
import type { Trace } from '../../../src/trace/trace.ts';
import { type Check, check } from '../compare.ts';
import { open } from './browser.ts';

interface Node {
  readonly nodeId: string;
  readonly role: string;
  readonly name: string;
  readonly parents: readonly string[];
}

const landmarks: readonly string[] = ['banner', 'navigation', 'main', 'region'];

/** Checks the accessibility tree: landmarks, headings without gaps, and the steps as an ordered list. */
export async function checkAccessibility(browser: Browser, key: string, url: string, { target, steps }: Trace): Promise<Check[]> {
  const { page, close } = await open(browser, url, { viewport: { width: 1280, height: 900 } });
  try {
    const nodes = await readAccessibilityTree(page);
    const namesWithRole = (role: string): string[] => nodes.filter((node) => node.role === role).map(({ name }) => name);
    const mainNodes = nodes.filter(({ parents }) => parents.includes('main'));
    const mapNodes = nodes.filter(({ parents }) => parents.includes('navigation'));
    const headings = mainNodes.filter(({ role }) => role === 'heading').map(({ name }) => name);
    const namelessNodes = nodes.filter(({ role, name }) => /^(image|link|button|Disclosure.*)$/.test(role) && name === '');
    const regions = nodes.filter(({ role }) => landmarks.includes(role)).map(({ role, name }) => `${role} ${name}`.trim());
    const remedies = regions.includes('region How to fix it') ? ['region How to fix it'] : [];
    return [
      check(key, 'name of the document', namesWithRole('RootWebArea')[0]?.startsWith(`${target}: `), true),
      check(key, 'landmarks', regions, ['banner', 'navigation Path overview', 'main', ...remedies, 'region Steps']),
      check(
        key,
        'steps',
        headings.slice(-steps.length).map(withoutNumber),
        steps.map(({ title }) => title),
      ),
      check(key, 'steps as items of a list', mainNodes.filter(isStep).length, steps.length),
      check(
        key,
        'steps on the map',
        mapNodes.filter(({ role }) => role === 'link').map(({ name }) => name.split(',')[0]),
        steps.map((_, i) => `Step ${i + 1}`),
      ),
      check(key, 'pictures, links and buttons without a name', namelessNodes, []),
      check(key, 'levels of headings', await page.evaluate(levelGaps), []),
      check(key, 'language', await page.evaluate('document.documentElement.lang'), 'en'),
    ];
  } finally {
    await close();
  }
}

/** Headings that are more than one level below the previous one. */
const levelGaps = `[...document.querySelectorAll('h1, h2, h3, h4, h5, h6')]
  .map((h) => [Number(h.tagName[1]), h.textContent])
  .filter(([level], i, all) => level > (all[i - 1]?.[0] ?? 0) + 1)`;

function isStep({ role, parents }: Node): boolean {
  return role === 'listitem' && parents.filter((parent) => parent === 'list').length === 1 && parents.includes('region Steps');
}

/** "1. Name web.shop" → "web.shop": the stage's name is checked with the content. */
function withoutNumber(heading: string): string {
  return heading.replace(/^\d+\. (DNS record|Traffic policy|\w+) /, '');
}

async function readAccessibilityTree(page: Page): Promise<Node[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const textOf = (value: { readonly value?: unknown } | undefined): string => String(value?.value ?? '');
  return nodes
    .filter(({ ignored }) => !ignored)
    .map((node) => {
      const parents: string[] = [];
      for (let parent = byId.get(node.parentId ?? ''); parent !== undefined; parent = byId.get(parent.parentId ?? '')) {
        parents.push(textOf(parent.role), `${textOf(parent.role)} ${textOf(parent.name)}`);
      }
      return { nodeId: node.nodeId, role: textOf(node.role), name: textOf(node.name), parents };
    });
}
