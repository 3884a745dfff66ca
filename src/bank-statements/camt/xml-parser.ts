import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { refuse, said } from '../refused.js';

/** What is done with the parts of an XML text. */
interface XmlReader {
  readonly opened: (tag: SaxesTagPlain) => void;
  readonly closed: () => void;
  readonly wrote: (text: string) => void;
  /** A comment or an instruction. */
  readonly passed: () => void;
}

/** A parser that refuses a DOCTYPE and whatever is not well-formed. */
export function xmlParser({ opened, closed, wrote, passed }: XmlReader): SaxesParser {
  const xml = new SaxesParser({ xmlns: false, position: true });
  xml.on('error', ({ message }) => refuse(`The XML is broken at line ${said(message)}.`));
  xml.on('doctype', () => refuse(`Line ${xml.line}: a DOCTYPE is not allowed.`));
  xml.on('opentag', opened);
  xml.on('closetag', closed);
  for (const name of ['text', 'cdata'] as const) xml.on(name, wrote);
  for (const name of ['comment', 'processinginstruction'] as const) xml.on(name, passed);
  keepFast(xml);
  return xml;
}

/**
 * Handlers are set by computed names. After the eighth V8 looks up every field of the parser in a dictionary: it took
 * 10.7 s of processor time for 199 MB, and takes 2.3 s. What is a prototype gets fast fields again when it is used.
 */
function keepFast(xml: SaxesParser): void {
  Object.setPrototypeOf({}, xml);
}
