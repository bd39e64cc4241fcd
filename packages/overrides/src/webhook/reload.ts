import { messageOf, safeObserver } from 'kube-endpoints/internal';
import type { SteadyClock } from 'kube-endpoints/port';
import type { Overrides } from '../index.ts';
import { type Follower, followFiles, readTexts } from './follow.ts';
import type { TellWebhook } from './happening.ts';
import type { ServingFiles } from './options.ts';
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
