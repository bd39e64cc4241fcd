import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf, safeObserver } from 'kube-endpoints/internal';
import type { Clock, ScheduledCall, SteadyClock } from 'kube-endpoints/port';
import type { Overrides } from '../overrides.ts';
import type { ServingFiles, TellWebhook } from './options.ts';
import { RuleFilesError, readRuleFiles } from './rule-files.ts';
import type { WebhookServer } from './server.ts';

/** Where everything is that is read again when it changes. */
export interface WebhookFiles {
  /** In order. */
  readonly rules: readonly string[];
  readonly cert: string;
  readonly key: string;
}

/** What the files hold. */
export interface Loaded {
  readonly overrides: Overrides;
  readonly tls: ServingFiles;
  readonly texts: { readonly rules: readonly string[]; readonly tls: readonly string[] };
}

/** @throws RuleFilesError, or what Node.js says of a file that cannot be read */
export async function loadWebhookFiles(files: WebhookFiles): Promise<Loaded> {
  const [rules, tls] = await Promise.all([readTexts(files.rules), readTexts([files.cert, files.key])]);
  return { overrides: rulesOf(files, rules), tls: servingFiles(tls), texts: { rules, tls } };
}

export interface ReloadOptions {
  readonly files: WebhookFiles;
  readonly loaded: Loaded;
  readonly server: Pick<WebhookServer, 'setOverrides' | 'setCertificate' | 'overrides' | 'metrics'>;
  readonly clock: SteadyClock;
  /** Milliseconds between two looks at the files; 10 seconds by default. What the file system tells of is looked at sooner. */
  readonly interval?: number;
  readonly tell?: TellWebhook;
  /** Told after other rules came into force. */
  readonly onRules?: (before: Overrides, after: Overrides) => void;
}

export interface Reloading {
  /** Looks at all files now. Resolves when what they hold is in force, or told of as wrong. */
  look(): Promise<void>;
  close(): void;
}

/** Keeps a server's rules and certificate as the files have them. What is wrong with them is told, and those before stay. */
export function followWebhookFiles(options: ReloadOptions): Reloading {
  const { files, loaded, server, clock, interval = 10_000 } = options;
  const tell = safeObserver(options.tell);
  const failed =
    (what: 'rules' | 'certificate') =>
    (error: unknown): void => {
      server.metrics.reloadFailed(what);
      const problems = error instanceof RuleFilesError ? error.problems : [messageOf(error)];
      tell({ kind: 'reloadFailed', what, problems });
    };
  const follow = (what: 'rules' | 'certificate', paths: readonly string[], texts: readonly string[], take: Take): Follower => {
    const onError = failed(what);
    const onTexts = (found: readonly string[]): void => {
      try {
        take(found);
      } catch (error) {
        onError(error);
      }
    };
    return followFiles({ paths, clock, interval, onTexts, onError }, texts);
  };
  const rules = follow('rules', files.rules, loaded.texts.rules, (texts) => {
    const before = server.overrides;
    server.setOverrides(rulesOf(files, texts));
    options.onRules?.(before, server.overrides);
  });
  const tls = follow('certificate', [files.cert, files.key], loaded.texts.tls, (texts) => server.setCertificate(servingFiles(texts)));
  return {
    look: () => Promise.all([rules.look(), tls.look()]).then(() => undefined),
    close() {
      rules.close();
      tls.close();
    },
  };
}

type Take = (texts: readonly string[]) => void;

const rulesOf = (files: Pick<WebhookFiles, 'rules'>, texts: readonly string[]): Overrides =>
  readRuleFiles(files.rules.map((name, at) => ({ name, text: texts[at] as string })));

const servingFiles = ([cert = '', key = '']: readonly string[]): ServingFiles => ({ cert, key });

export interface FollowOptions {
  readonly paths: readonly string[];
  readonly clock: Clock;
  /** Milliseconds between two looks, whatever the file system tells. */
  readonly interval: number;
  /** Given the texts of all, in order, whenever one has changed, and not again for the same texts. */
  readonly onTexts: (texts: readonly string[]) => void;
  /** Told once of what cannot be read, until it can be or is wrong in another way. */
  readonly onError: (error: unknown) => void;
}

/** Looks after files that are written anew, or swapped by a link as those of a mounted ConfigMap or Secret are. */
export interface Follower {
  /** Looks now. Resolves when what there is to be told is told. */
  look(): Promise<void>;
  close(): void;
}

/** @param texts as they were read at the start */
export function followFiles(options: FollowOptions, texts: readonly string[]): Follower {
  const { paths, clock, interval, onTexts, onError } = options;
  const state = { seen: JSON.stringify(texts), closed: false, due: Number.POSITIVE_INFINITY };
  let next: ScheduledCall | undefined;
  let last: Promise<void> = Promise.resolve();
  const read = async (): Promise<void> => {
    if (state.closed) return;
    try {
      const found = await readTexts(paths);
      tellOf(JSON.stringify(found), () => onTexts(found));
    } catch (error) {
      tellOf(`error: ${messageOf(error)}`, () => onError(error));
    }
  };
  const tellOf = (seen: string, tell: () => void): void => {
    if (state.closed || seen === state.seen) return;
    state.seen = seen;
    tell();
  };
  const look = (): Promise<void> => {
    last = last.then(read);
    return last;
  };
  const plan = (milliseconds: number): void => {
    const due = clock.now() + milliseconds;
    // What changes all the time is not to put off the look at it.
    if (state.closed || due >= state.due) return;
    next?.cancel();
    state.due = due;
    next = clock.schedule(() => void lookAgain(), milliseconds);
  };
  const lookAgain = async (): Promise<void> => {
    state.due = Number.POSITIVE_INFINITY;
    await look();
    plan(interval);
  };
  const watchers = watchFolders(paths, () => plan(settling));
  plan(interval);
  return {
    look,
    close() {
      state.closed = true;
      next?.cancel();
      for (const watcher of watchers) watcher.close();
    },
  };
}

/** @throws Error that names the file which cannot be read */
export const readTexts = (paths: readonly string[]): Promise<readonly string[]> => Promise.all(paths.map((path) => readFile(path, 'utf8')));

/** Milliseconds from the first sign of a change until files are read: several of them may be written one after the other. */
const settling = 100;

interface Closable {
  close(): void;
}

/** What is swapped by a link changes in its folder. Where that cannot be watched, the looks from time to time have to do. */
function watchFolders(paths: readonly string[], changed: () => void): readonly Closable[] {
  return [...new Set(paths.map((path) => dirname(path)))].flatMap((folder) => {
    try {
      const watcher = watch(folder, { persistent: false }, changed);
      watcher.on('error', () => watcher.close());
      return [watcher];
    } catch {
      return [];
    }
  });
}
