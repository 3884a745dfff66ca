import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { refuse, said } from '../refused.js';

/** What is done with the parts of an XML text. */
interface XmlReader {
  readonly opened: (tag: SaxesTagPlain) => void;
  readonly closed: () => void;
  readonly wrote: (text: string) => void;
  /** A comment or an instruction. */
  readonly passed: () => void;
  /** Elements, attributes and whatever else the parser tells of, but for texts. */
  readonly counted: (parts: number) => void;
}

/** A parser that refuses a DOCTYPE and whatever is not well-formed. */
export function xmlParser(reader: XmlReader): SaxesParser {
  const { opened, closed, wrote, passed, counted } = reader;
  const xml = new SaxesParser({ xmlns: false, position: true });
  xml.on('error', ({ message }) => refuse(`The XML is broken at line ${said(message)}.`));
  xml.on('doctype', () => refuse(`Line ${xml.line}: a DOCTYPE is not allowed.`));
  xml.on('opentag', (tag) => {
    counted(1);
    opened(tag);
  });
  xml.on('attribute', () => counted(1));
  xml.on('closetag', closed);
  xml.on('text', wrote);
  xml.on('cdata', (text) => {
    counted(1);
    wrote(text);
  });
  for (const name of ['comment', 'processinginstruction'] as const) {
    xml.on(name, () => {
      counted(1);
      passed();
    });
  }
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
