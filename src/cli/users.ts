import { MERCHANT_ROLES, type MerchantRole } from '../database/people/membership.entity.js';
import { PLATFORM_ROLES } from '../database/people/user.entity.js';
import type { ListedUser } from '../database/people/user.repository.js';
import { newPassword } from '../people/users.service.js';
import { type Command, CommandError, type Output } from './command.js';
import * as inputs from './inputs.js';
import type { Input, Options } from './options.js';
import { type Services, withMerchant, withServices } from './services.js';
import { day, table } from './text.js';

const MERCHANT_ROLE: Input<MerchantRole> = {
  expects: `${MERCHANT_ROLES.join(', ')} with --merchant`,
  parse: (text) => MERCHANT_ROLES.find((role) => role === text),
};

const PLATFORM_ROLE: Input<(typeof PLATFORM_ROLES)[number]> = {
  expects: `${PLATFORM_ROLES.join(' or ')}; the roles of a merchant need --merchant`,
  parse: (text) => PLATFORM_ROLES.find((role) => role === text),
};

/** At a merchant, or at the platform. */
type Post =
  | { readonly merchantId: string; readonly role: MerchantRole }
  | { readonly merchantId: null; readonly role: (typeof PLATFORM_ROLES)[number] };

interface Newcomer {
  readonly email: string;
  readonly name: string;
  readonly post: Post;
}

function postOf(options: Options): Post {
  const merchantId = options.optional('merchant', inputs.ID);
  return merchantId
    ? { merchantId, role: options.required('role', MERCHANT_ROLE) }
    : { merchantId: null, role: options.required('role', PLATFORM_ROLE) };
}

const create: Command = {
  name: 'user create',
  usage:
    '--email ADDRESS --name NAME --role operator|support\n' +
    '      --email ADDRESS --name NAME --merchant ID --role owner|developer|finance|viewer',
  help: 'Adds somebody who may sign in to the portal, and shows the password once.',
  options: ['email', 'name', 'merchant', 'role'],
  prepare: (options) => {
    const newcomer = {
      email: options.required('email', inputs.EMAIL_INPUT),
      name: options.required('name', inputs.NAME),
      post: postOf(options),
    };
    return () =>
      withMerchant(newcomer.post.merchantId, (services) => createUser(services, newcomer));
  },
};

async function createUser({ accounts }: Services, newcomer: Newcomer): Promise<Output> {
  const { email, name, post } = newcomer;
  const { merchantId, role } = post;
  const password = newPassword();
  const user = await accounts.open({ email, name, password }, post);
  if (!user) throw new CommandError(`There is a user with the address ${email} already.`);
  return {
    text:
      `${password}\n\nThis is the only time that the password of ${email} is shown.\n` +
      'Sign in at /portal, then choose another one under "Your account".',
    json: { id: user.id, email, name, role, merchantId, password },
  };
}

const list: Command = {
  name: 'user list',
  usage: '',
  help: 'Lists everybody who may sign in to the portal, or could before.',
  options: [],
  prepare: () => () =>
    withServices(async ({ users }) => {
      const all = await users.list();
      return { text: table(COLUMNS, all.map(rowOf)), json: { users: all } };
    }),
};

interface Change extends Pick<Command, 'name' | 'help'> {
  /** @returns the user's id; null when there is nothing to change */
  readonly change: (accounts: Services['accounts'], email: string) => Promise<string | null>;
  readonly done: string;
  /** What there is not. */
  readonly missing: string;
}

/** A command that changes one user. */
const changing = ({ name, help, change, done, missing }: Change): Command => ({
  name,
  usage: '--email ADDRESS',
  help,
  options: ['email'],
  prepare: (options) => {
    const email = options.required('email', inputs.EMAIL_INPUT);
    return () =>
      withServices(async ({ accounts }) => {
        const id = await change(accounts, email);
        if (!id) throw new CommandError(`There is no user ${email} ${missing}.`);
        return { text: `${email} ${done}.`, json: { id, email } };
      });
  },
});

const disable = changing({
  name: 'user disable',
  help: 'Ends all sessions of a user, who can sign in no more.',
  change: (accounts, email) => accounts.close(email),
  done: 'can sign in no more',
  missing: 'who may sign in',
});

const enable = changing({
  name: 'user enable',
  help: 'Lets a user sign in again who was disabled.',
  change: (accounts, email) => accounts.reopen(email),
  done: 'can sign in again',
  missing: 'who is disabled',
});

const forgetSecondStep = changing({
  name: 'user forget-second-step',
  help: 'Lets a user who lost the telephone and the recovery codes sign in by password alone.',
  change: (accounts, email) => accounts.forgetSecondStep(email),
  done: 'signs in by password alone, until a new second step is set up',
  missing: 'with a second step',
});

export const USER_COMMANDS: readonly Command[] = [create, list, disable, enable, forgetSecondStep];

const COLUMNS = ['id', 'since', 'platform role', 'merchants', 'second step', 'state', 'address'];

function rowOf(user: ListedUser): string[] {
  const { id, createdAt, platformRole, merchants, hasSecondFactor, disabledAt, email } = user;
  const state = disabledAt ? `disabled ${day(disabledAt)}` : 'usable';
  const role = platformRole ?? 'none';
  return [
    id,
    day(createdAt),
    role,
    String(merchants),
    hasSecondFactor ? 'on' : 'off',
    state,
    email,
  ];
}
