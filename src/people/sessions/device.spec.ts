import { describe, expect, it } from '@jest/globals';
import { deviceOf, newDevice } from './device.js';

const ADA = { id: 'ada', passwordHash: '$argon2id$one', totpSecret: null, totpConfirmedAt: null };
const WITH_APP = { ...ADA, totpSecret: 'SECRET', totpConfirmedAt: new Date(0) };

describe('a device', () => {
  it('is known to the account that signed in with it, and to no other', () => {
    const cookie = newDevice(ADA);
    expect(deviceOf(cookie, ADA)).toBe(cookie.slice(0, 22));
    expect(deviceOf(cookie, { ...ADA, id: 'bob' })).toBeNull();
  });

  it('is forgotten with the password', () => {
    expect(deviceOf(newDevice(ADA), { ...ADA, passwordHash: '$argon2id$two' })).toBeNull();
  });

  it('is forgotten when a second factor is set up, replaced or removed', () => {
    expect(deviceOf(newDevice(ADA), WITH_APP)).toBeNull();
    expect(deviceOf(newDevice(WITH_APP), WITH_APP)).not.toBeNull();
    expect(deviceOf(newDevice(WITH_APP), { ...WITH_APP, totpSecret: 'OTHER' })).toBeNull();
    expect(deviceOf(newDevice(WITH_APP), ADA)).toBeNull();
  });

  it.each([undefined, '', 'x', `${'a'.repeat(22)}.${'b'.repeat(43)}`])('is not %j', (cookie) => {
    expect(deviceOf(cookie, ADA)).toBeNull();
  });
});
