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

/** A role at a merchant, or at the platform. */
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
  help: 'Adds a portal user, and shows the password once.',
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
    text: passwordText(email, password),
    json: { id: user.id, email, name, role, merchantId, password },
  };
}

const passwordText = (email: string, password: string): string =>
  `${password}\n\nThis is the only time that the password of ${email} is shown.\n` +
  'Sign in at /portal, then choose another one under "Your account".';

const list: Command = {
  name: 'user list',
  usage: '',
  help: 'Lists all portal users, including disabled ones.',
  options: [],
  prepare: () => () =>
    withServices(async ({ users }) => {
      const all = await users.list();
      return { text: table(COLUMNS, all.map(rowOf)), json: { users: all } };
    }),
};

interface Change extends Pick<Command, 'name' | 'help'> {
  /** @returns the user's id; null if there is nothing to change */
  readonly change: (accounts: Services['accounts'], email: string) => Promise<string | null>;
  readonly done: string;
  /** Condition that the user does not meet. */
  readonly missing: string;
}

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
  help: 'Disables a user and ends all of their sessions.',
  change: (accounts, email) => accounts.close(email),
  done: 'can sign in no more',
  missing: 'who may sign in',
});

const enable: Command = {
  name: 'user enable',
  usage: '--email ADDRESS',
  help: 'Enables a disabled user again, without the second factor, and shows a new password once.',
  options: ['email'],
  prepare: (options) => {
    const email = options.required('email', inputs.EMAIL_INPUT);
    return () =>
      withServices(async ({ accounts }) => {
        const reopened = await accounts.reopen(email);
        if (!reopened) throw new CommandError(`There is no user ${email} who is disabled.`);
        const { id, password } = reopened;
        return { text: passwordText(email, password), json: { id, email, password } };
      });
  },
};

const forgetSecondStep = changing({
  name: 'user forget-second-step',
  help: 'Turns off two-factor authentication for a user who lost the telephone and the recovery codes.',
  change: (accounts, email) => accounts.forgetSecondStep(email),
  done: 'signs in by password alone, until two-factor authentication is set up again',
  missing: 'with two-factor authentication',
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
