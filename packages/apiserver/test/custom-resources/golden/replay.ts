import { createCustomResources, type ValidatorOptions } from '../../../src/custom-resources/index.ts';
import type { HttpAnswer } from '../../../src/http/exchange.ts';
import { createWorld, type World } from '../../http/support.ts';
import { normalized } from './normalize.ts';
import type { Answer, Json, Sent, Step } from './steps.ts';

/** A step and what the real server answered. */
export type RecordedStep = (Sent & Answer) | Extract<Step, { await: string }>;

export interface Recorded {
  readonly name: string;
  readonly steps: readonly RecordedStep[];
}

/** What comes of the same requests here, in the same order. */
export async function replay({ steps }: Recorded, validation: ValidatorOptions = {}): Promise<readonly (Answer | undefined)[]> {
  const world = await createWorld({}, { managesFields: true });
  const custom = createCustomResources({ registry: world.registry, catalog: world.catalog, clock: world.clock, validation });
  const answers: (Answer | undefined)[] = [];
  for (const step of steps) {
    if ('await' in step) await custom.settle();
    else {
      answers.push(await answerTo(world, step));
      // What follows a write has time to happen, as it has on the real server.
      await custom.settle();
      continue;
    }
    answers.push(undefined);
  }
  custom.close();
  return answers;
}

async function answerTo(world: World, { method, path, body, type, accept }: Sent): Promise<Answer> {
  const headers = { ...(type !== undefined && { 'content-type': type }), ...(accept !== undefined && { accept }) };
  const sent = { headers, ...(body !== undefined && { body: await current(world, path, body) }) };
  const asked = await world.ask(method, path, sent);
  if (!asked) return { code: 404, answer: '404 page not found\n' };
  const warnings = warningsIn(asked.headers['Warning'] ?? asked.headers['warning']);
  return { code: asked.code, answer: normalized(parsed(await textOf(asked))), ...(warnings.length > 0 && { warnings }) };
}

async function textOf({ body }: HttpAnswer): Promise<string> {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return Buffer.from(body).toString('utf8');
  let text = '';
  for await (const chunk of body) text += chunk;
  return text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A body that is to carry the newest resourceVersion is given it. */
async function current(world: World, path: string, body: unknown): Promise<unknown> {
  const { metadata } = body as { metadata?: Json };
  if (metadata?.['resourceVersion'] !== '@current') return body;
  const { json } = await world.send('GET', path.replace(/\?.*/, '').replace(/\/(status|scale)$/, ''));
  return { ...(body as Json), metadata: { ...metadata, resourceVersion: json.metadata.resourceVersion } };
}

const warningsIn = (header: string | readonly string[] | undefined): string[] =>
  [header ?? []]
    .flat()
    .flatMap((each) => each.split(/, (?=299 )/))
    .map((each) => JSON.parse(each.replace(/^299 - /, '')) as string);
