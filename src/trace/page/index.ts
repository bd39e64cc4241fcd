/** A trace as pictures: a page of its own, and SVG. */
export { type PageOptions, renderPage } from './page.ts';
export { renderSvg } from './svg.ts';
