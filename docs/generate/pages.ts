import { explainPicture } from './picture.ts';
import { reasonsPage } from './reasons.ts';
import { versionsPage } from './versions.ts';

export interface Page {
  /** File name in `docs`. */
  readonly name: string;
  readonly text: string;
}

/** The pages and pictures that are generated from tables in the sources and from the output of the command line. */
export const pages = async (): Promise<readonly Page[]> => [
  { name: 'versions.md', text: versionsPage() },
  { name: 'reasons.md', text: reasonsPage() },
  { name: 'explain.svg', text: await explainPicture() },
];
