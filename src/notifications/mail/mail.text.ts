import { LOCALE_FACTS } from '../../common/locale.js';
import { selfContained } from '../../common/markup.js';
import { type MailModel, plain, type Row } from './mail.model.js';

/** First strong isolate and its end: isolates the direction of a value from its surroundings. */
const ISOLATED = (text: string): string => `\u2068${text}\u2069`;
/** Right-to-left letters and direction marks. */
const TURNS =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Bidi_Control}]/u;
const LINE_BREAKS = /[\u2028\u2029\p{Cc}]+/gu;

/** Plain text version of a mail. */
export function renderText(model: MailModel): string {
  const isRtl = LOCALE_FACTS[model.locale].dir === 'rtl';
  const value = (text: string): string => {
    const line = selfContained(text).replace(LINE_BREAKS, ' ');
    return isRtl || TURNS.test(line) ? ISOLATED(line) : line;
  };
  const rows = (all: readonly Row[]): string =>
    all.map((row) => `${value(row.label)}: ${value(row.value)}`).join('\n');
  const { fields, button, unsubscribe } = model;
  return [
    model.testMode,
    value(model.merchant.name),
    model.amount === undefined ? model.title : `${model.title}: ${value(model.amount)}`,
    ...model.paragraphs.map((phrase) => plain(phrase, value)),
    model.warning && `! ${model.warning}`,
    rows(model.rows),
    fields && `${fields.heading}\n${rows(fields.rows)}`,
    button && `${button.label}:\n${button.url}`,
    `-- \n${plain(model.why, value)}${unsubscribe ? `\n${unsubscribe.label}: ${unsubscribe.url}` : ''}`,
  ]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n');
}
