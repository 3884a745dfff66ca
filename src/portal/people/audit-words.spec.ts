import { describe, expect, it } from '@jest/globals';
import { sentenceOf } from './audit-words.js';

describe(sentenceOf.name, () => {
  it.each([
    ['payer.revealed', {}, 'Viewed the payer of an order.'],
    [
      'invitation.sent',
      { email: 'a@b.example', role: 'finance' },
      'Invited a@b.example as finance.',
    ],
    ['invitation.sent', { email: 7, role: 'constructor' }, 'Invited a user as another role.'],
    [
      'member.role-changed',
      { email: 'a@b.example', from: 'owner', to: 'viewer' },
      'Changed the role of a@b.example from owner to viewer.',
    ],
    ['endpoint.switched-off', {}, 'Endpoint switched off.'],
    ['constructor', {}, 'Constructor.'],
  ])('%s %j', (action, data, sentence) => {
    expect(sentenceOf({ action, data })).toBe(sentence);
  });
});
