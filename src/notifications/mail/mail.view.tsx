import type { ComponentChildren, CSSProperties } from 'preact';
import { render } from 'preact-render-to-string';
import { readableOn } from '../../common/colour.js';
import { LOCALE_FACTS } from '../../common/locale.js';
import { fill, selfContained } from '../../common/markup.js';
import type { MailModel, Phrase, Row } from './mail.model.js';

/**
 * Inline styles, because many mail programs ignore style sheets. The sheet only adds dark colours, and rows in two
 * lines on narrow screens.
 */
const SHEET = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 479px) {
  .row th, .row td { display: block !important; width: auto !important; }
  .row th { padding-bottom: 0 !important; }
  .row td { border-top: 0 !important; padding-top: 2px !important; }
  .pad { padding-left: 20px !important; padding-right: 20px !important; }
}
@media (prefers-color-scheme: dark) {
  .page { background-color: #101318 !important; }
  .card { background-color: #1a1f26 !important; border-color: #2c333d !important; }
  .text { color: #e9ecf0 !important; }
  .muted, .muted a { color: #a8b0bc !important; }
  .line, .row th, .row td { border-color: #2c333d !important; }
  .warn { background-color: #36290c !important; color: #f5cf7a !important; }
}`;

const FONT = `-apple-system, 'Segoe UI', Roboto, 'Noto Sans', Helvetica, Arial, sans-serif`;
const TEXT = '#171c24';
const MUTED = '#565f6d';
const LINE = '#e1e5ea';
const WRAP = { wordBreak: 'break-word', overflowWrap: 'anywhere' } as const;

export const renderHtml = (model: MailModel): string =>
  `<!doctype html>${render(<Document {...model} />)}`;

function Document(model: MailModel) {
  const { dir } = LOCALE_FACTS[model.locale];
  return (
    <html lang={model.locale} dir={dir}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
        <title>{selfContained(model.merchant.name)}</title>
        <style>{SHEET}</style>
      </head>
      <body class="page" dir={dir} style={{ margin: 0, padding: 0, backgroundColor: '#f4f5f7' }}>
        <Layout class="page" style={{ backgroundColor: '#f4f5f7' }}>
          <td align="center" style={{ padding: '24px 12px' }}>
            <Layout style={{ maxWidth: '560px', fontFamily: FONT }}>
              <td dir={dir}>
                <Card {...model} />
                <Footer {...model} />
              </td>
            </Layout>
          </td>
        </Layout>
      </body>
    </html>
  );
}

interface LayoutProps {
  readonly class?: string;
  readonly style: CSSProperties;
  readonly children: ComponentChildren;
}

/** Table cell: the only way to set width and colour of a block in mail programs on Windows. */
const Layout = ({ class: name, style, children }: LayoutProps) => (
  <table
    role="presentation"
    class={name}
    width="100%"
    cellpadding="0"
    cellspacing="0"
    style={{ borderCollapse: 'separate', ...style }}
  >
    <tr>{children}</tr>
  </table>
);

function Card(model: MailModel) {
  const { merchant, testMode, warning, rows, fields, button } = model;
  return (
    <Layout class="card" style={CARD}>
      <td style={{ borderTop: `4px solid #${merchant.colour}`, borderRadius: '16px' }}>
        {testMode && <Banner text={testMode} />}
        <div class="pad" style={{ padding: '28px 32px 8px' }}>
          <p
            class="muted"
            style={{ ...BODY_TEXT, margin: '0 0 20px', color: MUTED, fontWeight: 600 }}
          >
            <bdi>{selfContained(merchant.name)}</bdi>
          </p>
          <Heading {...model} />
          {model.paragraphs.map((phrase, i) => (
            <p key={i} class="text" style={{ ...BODY_TEXT, margin: '0 0 12px', color: TEXT }}>
              <Sentence {...phrase} />
            </p>
          ))}
          {warning && <Warning text={warning} />}
          {button && <Button {...button} colour={merchant.colour} />}
        </div>
        {rows.length > 0 && <Rows rows={rows} />}
        {fields && <Rows heading={fields.heading} rows={fields.rows} />}
        <div style={{ height: '20px', lineHeight: '20px', fontSize: '1px' }}>&nbsp;</div>
      </td>
    </Layout>
  );
}

const BODY_TEXT = { fontSize: '16px', lineHeight: '24px', ...WRAP } as const;
const CARD = {
  backgroundColor: '#ffffff',
  border: `1px solid ${LINE}`,
  borderRadius: '16px',
} as const;

const Banner = ({ text }: { readonly text: string }) => (
  <p
    class="warn"
    style={{
      margin: 0,
      padding: '8px 16px',
      backgroundColor: '#fdf1d6',
      color: '#7a4a00',
      fontSize: '14px',
      lineHeight: '20px',
      fontWeight: 600,
      textAlign: 'center',
    }}
  >
    {text}
  </p>
);

const Heading = ({ title, amount }: MailModel) => (
  <>
    <h1
      class="text"
      style={{ margin: '0 0 8px', color: TEXT, fontSize: '20px', lineHeight: '28px', ...WRAP }}
    >
      {title}
    </h1>
    {amount !== undefined && (
      <p
        class="text"
        style={{
          margin: '0 0 12px',
          color: TEXT,
          fontSize: amount.length > 14 ? '26px' : '36px',
          lineHeight: '44px',
          fontWeight: 700,
          letterSpacing: '-0.5px',
          ...WRAP,
        }}
      >
        <bdi>{amount}</bdi>
      </p>
    )}
  </>
);

const Sentence = ({ text, values = {} }: Phrase) => (
  <>
    {fill(
      text,
      Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
          name,
          <bdi key={name} style={{ fontWeight: 600 }}>
            {selfContained(value)}
          </bdi>,
        ]),
      ),
    )}
  </>
);

const Warning = ({ text }: { readonly text: string }) => (
  <p
    class="warn"
    style={{
      ...BODY_TEXT,
      margin: '16px 0 8px',
      padding: '12px 16px',
      borderRadius: '10px',
      backgroundColor: '#fdf1d6',
      color: '#7a4a00',
    }}
  >
    {text}
  </p>
);

interface ButtonProps {
  readonly label: string;
  readonly url: string;
  readonly colour: string;
}

const Button = ({ label, url, colour }: ButtonProps) => (
  <p style={{ margin: '20px 0 16px' }}>
    <a
      href={url}
      style={{
        display: 'inline-block',
        padding: '12px 24px',
        border: `1px solid ${readableOn(colour)}`,
        borderRadius: '12px',
        backgroundColor: `#${colour}`,
        color: readableOn(colour),
        fontSize: '17px',
        lineHeight: '24px',
        fontWeight: 600,
        textDecoration: 'none',
      }}
    >
      {label}
    </a>
  </p>
);

interface RowsProps {
  readonly heading?: string;
  readonly rows: readonly Row[];
}

const Rows = ({ heading, rows }: RowsProps) => (
  <div class="pad" style={{ padding: '12px 32px 0' }}>
    {heading && (
      <h2
        class="text"
        style={{ margin: '12px 0 8px', color: TEXT, fontSize: '16px', lineHeight: '24px' }}
      >
        {heading}
      </h2>
    )}
    <table width="100%" cellpadding="0" cellspacing="0" class="text" style={TABLE}>
      {rows.map(({ label, value }, i) => (
        <tr key={i} class="row">
          <th scope="row" class="muted" style={{ ...CELL, ...LABEL }}>
            <bdi>{selfContained(label)}</bdi>
          </th>
          <td style={CELL}>
            <bdi>{selfContained(value)}</bdi>
          </td>
        </tr>
      ))}
    </table>
  </div>
);

const TABLE = {
  ...WRAP,
  width: '100%',
  color: TEXT,
  fontSize: '15px',
  lineHeight: '22px',
  textAlign: 'start',
} as const;
const CELL = {
  padding: '10px 0',
  borderTop: `1px solid ${LINE}`,
  verticalAlign: 'top',
} as const;
const LABEL = {
  width: '36%',
  color: MUTED,
  fontWeight: 400,
  textAlign: 'start',
  paddingInlineEnd: '16px',
} as const;

const Footer = ({ why, unsubscribe }: MailModel) => (
  <p
    class="muted"
    style={{ ...WRAP, margin: '20px 8px 0', color: MUTED, fontSize: '13px', lineHeight: '20px' }}
  >
    <Sentence {...why} />{' '}
    {unsubscribe && (
      <a href={unsubscribe.url} style={{ color: MUTED, textDecoration: 'underline' }}>
        {unsubscribe.label}
      </a>
    )}
  </p>
);
