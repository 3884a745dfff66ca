import { describe, expect, it } from '@jest/globals';
import { LOCALES } from '../../common/locale.js';
import { FAILURE_STAGES, type FailureStage } from '../webhooks/webhook-outcome.js';
import { MAIL_MESSAGES } from './messages.js';
import { serviceMail } from './service-mails.js';

const SINCE = '2026-01-05T09:00:00.000Z';

describe.each(LOCALES)('mails about an endpoint in %s', (locale) => {
  const messages = MAIL_MESSAGES[locale];
  const { failing, disabled } = messages.endpoint;
  const reader = { messages, locale, timeZone: 'UTC', email: 'a@b.example', pageUrl: 'https://p/' };
  const write = (stage: FailureStage) => {
    const kind = stage === '1h' || stage === '24h' ? 'endpoint.failing' : 'endpoint.disabled';
    return serviceMail(kind, 'Shop', reader, { url: 'https://a.example', since: SINCE, stage });
  };

  it.each([
    ['1h', failing.hour, failing.text, failing.next],
    ['24h', failing.day, failing.text, failing.next],
    ['failing', disabled.title, disabled.text, disabled.next],
    ['gone', disabled.title, disabled.gone, disabled.next],
  ] as const)('say how far it has gone: %s', (stage, title, text, next) => {
    const mail = write(stage);
    expect(mail.title).toBe(title);
    expect(mail.paragraphs.map((each) => each.text)).toEqual([text, next]);
  });

  it('say something else at each stage', () => {
    const said = FAILURE_STAGES.map((stage) => {
      const { title, paragraphs } = write(stage);
      return [title, ...paragraphs.map(({ text }) => text)].join('\n');
    });
    expect(new Set(said).size).toBe(FAILURE_STAGES.length);
  });
});
