import { reasonsPage } from './reasons.ts';
import { versionsPage } from './versions.ts';

export interface Page {
  /** Its file in `docs`. */
  readonly name: string;
  readonly text: string;
}

/** The pages that are made from tables in the sources. */
export const pages = (): readonly Page[] => [
  { name: 'versions.md', text: versionsPage() },
  { name: 'reasons.md', text: reasonsPage() },
];
