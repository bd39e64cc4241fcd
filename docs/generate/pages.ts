import { reasonsPage } from './reasons.ts';
import { versionsPage } from './versions.ts';

export interface Page {
  /** File name in `docs`. */
  readonly name: string;
  readonly text: string;
}

/** The pages generated from tables in the sources. */
export const pages = (): readonly Page[] => [
  { name: 'versions.md', text: versionsPage() },
  { name: 'reasons.md', text: reasonsPage() },
];
