import { Injectable, Logger } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { CsvProfilesService } from '../../../bank/csv-profiles.service.js';
import { previewFile } from '../../../bank/file-preview.js';
import { BankImportService } from '../../../bank/import.service.js';
import type { WrittenProfile } from '../../../bank/profiles.js';
import { type Upload, UploadRefusedError, UploadStore } from '../../../bank/upload-store.js';
import { CSV_PROFILES } from '../../../bank-statements/csv/csv-profiles.js';
import { StatementRefusedError } from '../../../bank-statements/refused.js';
import { CollectionAccountsService } from '../../../collection-accounts/collection-accounts.service.js';
import { BankFileRepository } from '../../../database/bank/bank-file.repository.js';
import type { Mode } from '../../../database/merchants/api-key.entity.js';
import { FileForm } from '../../../http/file-form.js';
import { Problem } from '../../../http/problem.js';
import { AuditService } from '../../../people/audit.service.js';
import type { SignedInContext } from '../../../people/portal-context.js';
import { notFound } from '../../../people/refusal.js';
import { type ParsedForm, textOf } from '../../kit/form.js';

/** Milliseconds after which a page says that an import is still under way. */
const SEEN_MS = 5_000;

/** What an upload can be read by. */
export interface UploadChoices {
  readonly profiles: readonly string[];
  /** Collection accounts, for profiles that name none. */
  readonly accounts: readonly string[];
}

export interface UploadPage {
  readonly upload: Upload;
  /** The same bytes came before. */
  readonly isKnown: boolean;
  readonly isBusy: boolean;
}

/** Files of banks that operators bring, look at, and then import. */
@Injectable()
export class UploadsService {
  private readonly logger = new Logger('uploads');
  /** Imports that this process does now. */
  private readonly busy = new Map<string, Promise<void>>();

  constructor(
    private readonly store: UploadStore,
    private readonly imports: BankImportService,
    private readonly profiles: CsvProfilesService,
    private readonly accounts: CollectionAccountsService,
    private readonly files: BankFileRepository,
    private readonly audit: AuditService,
  ) {}

  async choices(mode: Mode): Promise<UploadChoices> {
    const [kept, accounts] = await Promise.all([this.profiles.list(), this.accounts.list(mode)]);
    return {
      profiles: [...kept, ...CSV_PROFILES].map(({ name }) => name),
      accounts: [...new Set(accounts.map(({ account }) => account))],
    };
  }

  /** Keeps the file and looks into it; nothing of it counts. */
  async bring(
    { session }: SignedInContext,
    mode: Mode,
    form: URLSearchParams,
  ): Promise<ParsedForm<Upload>> {
    const file = form instanceof FileForm ? form.file : null;
    if (!file || file.name === '') return { problems: { file: 'Choose a file.' } };
    const profile = textOf(form, 'profile') || null;
    const account = textOf(form, 'account') || null;
    if (account !== null && !(await this.choices(mode)).accounts.includes(account))
      return { problems: { account: 'Choose one of the accounts.' } };
    const about = { owner: session.userId, mode, name: file.name, profile, account };
    try {
      const upload = await this.looked(await this.store.keep(about, file.bytes()));
      await this.store.note(upload);
      return { done: upload };
    } catch (error) {
      return { problems: { file: sentenceOf(error) } };
    }
  }

  /** @throws Refusal 404 */
  async open({ session }: SignedInContext, mode: Mode, id: string): Promise<UploadPage> {
    const upload = await this.store.find(session.userId, mode, id);
    if (!upload) throw notFound();
    const known = await this.files.find(mode, Buffer.from(upload.sha256, 'hex'));
    const isKnown = upload.result === null && (known?.importedAt ?? null) !== null;
    return { upload, isKnown, isBusy: this.busy.has(id) };
  }

  /**
   * Begins the import and waits for a while; it goes on when nobody waits.
   * @throws Refusal 404
   * @throws whatever ends the import while somebody waits: what was stored stays, and the rest comes when it is
   *   imported again
   */
  async import(context: SignedInContext, mode: Mode, id: string): Promise<void> {
    const { upload } = await this.open(context, mode, id);
    if (upload.preview === null || upload.result !== null) return;
    const { name, sha256, size } = upload;
    const entry = { action: 'bank-file.imported', subject: id, data: { mode, name, sha256, size } };
    await this.audit.recordView(context, entry);
    await Promise.race([this.begun(upload), sleep(SEEN_MS, undefined, { ref: false })]);
  }

  async discard(context: SignedInContext, mode: Mode, id: string): Promise<void> {
    await this.open(context, mode, id);
    await this.store.discard(id);
  }

  private begun(upload: Upload): Promise<void> {
    const { id } = upload;
    const begun = this.busy.get(id);
    if (begun) return begun;
    const work = this.run(upload);
    this.busy.set(id, work);
    // Who waits hears of it, too; maybe nobody does any more.
    work.catch((error: unknown) =>
      this.logger.error({ err: error }, 'an upload was not imported to its end'),
    );
    return work;
  }

  private async run(upload: Upload): Promise<void> {
    const { id, mode, name, owner } = upload;
    try {
      const profile = await this.profileOf(upload);
      const options = { mode, name, source: 'portal', broughtBy: owner, profile } as const;
      const result = await this.imports.import({ path: this.store.pathOf(id) }, options);
      await this.store.note({ ...upload, result });
    } finally {
      this.busy.delete(id);
    }
  }

  private async looked(upload: Upload): Promise<Upload> {
    try {
      const profile = await this.profileOf(upload);
      const preview = await previewFile({ path: this.store.pathOf(upload.id) }, { profile });
      if (preview.statements.some(({ account }) => account === null))
        throw new StatementRefusedError(
          'It does not say of which account it is: choose the account.',
        );
      return { ...upload, preview };
    } catch (error) {
      if (!(error instanceof StatementRefusedError)) throw error;
      return { ...upload, refused: error.message };
    }
  }

  private async profileOf({ profile, account }: Upload): Promise<WrittenProfile | undefined> {
    if (profile === null) return undefined;
    const found = await this.profiles.find(profile);
    if (!found) throw new StatementRefusedError('There is no such CSV profile any more.');
    return { ...found, ownAccount: found.ownAccount ?? account };
  }
}

/** Why a file was not kept. Other faults get a page of their own. */
function sentenceOf(error: unknown): string {
  if (error instanceof UploadRefusedError) return error.message;
  const isCut = error instanceof Problem && error.code === 'malformed_request';
  if (isCut) return 'The file was cut off on its way. Upload it again.';
  throw error;
}
