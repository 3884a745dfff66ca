import { Injectable, Logger } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { CsvProfilesService } from '../../../../bank/import/csv-profiles.service.js';
import { previewFile } from '../../../../bank/import/file-preview.js';
import { BankImportService } from '../../../../bank/import/import.service.js';
import type { WrittenProfile } from '../../../../bank/import/profiles.js';
import {
  type Upload,
  UploadRefusedError,
  UploadStore,
} from '../../../../bank/import/upload-store.js';
import { CSV_PROFILES } from '../../../../bank-statements/csv/csv-profiles.js';
import { StatementRefusedError } from '../../../../bank-statements/refused.js';
import { CollectionAccountsService } from '../../../../collection-accounts/collection-accounts.service.js';
import type { Mode } from '../../../../database/merchants/api-key.entity.js';
import { FileForm } from '../../../../http/file-form.js';
import { Problem } from '../../../../http/problems/problem.js';
import { AuditService } from '../../../../people/audit.service.js';
import type { SignedInContext } from '../../../../people/portal-context.js';
import { notFound } from '../../../../people/refusal.js';
import { type ParsedForm, textOf } from '../../../kit/form.js';

/** Milliseconds to wait for an import before the page shows it as in progress. */
const SEEN_MS = 5_000;

/** Options of the upload form. */
export interface UploadChoices {
  readonly profiles: readonly string[];
  /** Collection accounts, for profiles without an account. */
  readonly accounts: readonly string[];
}

export interface UploadPage {
  readonly upload: Upload;
  /** The same file was imported before. */
  readonly isKnown: boolean;
  readonly isBusy: boolean;
}

/** Uploads of bank statements: preview first, then import. */
@Injectable()
export class UploadsService {
  private readonly logger = new Logger('uploads');
  /** Imports running in this process. */
  private readonly busy = new Map<string, Promise<void>>();

  constructor(
    private readonly store: UploadStore,
    private readonly imports: BankImportService,
    private readonly profiles: CsvProfilesService,
    private readonly accounts: CollectionAccountsService,
    private readonly audit: AuditService,
  ) {}

  async choices(mode: Mode): Promise<UploadChoices> {
    const [kept, accounts] = await Promise.all([this.profiles.list(), this.accounts.list(mode)]);
    return {
      profiles: [...kept, ...CSV_PROFILES].map(({ name }) => name),
      accounts: [...new Set(accounts.map(({ account }) => account))],
    };
  }

  /** Stores the file and previews it, without importing it. */
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
    return { upload, isKnown: await this.isKnown(upload), isBusy: this.busy.has(id) };
  }

  private async isKnown({ mode, sha256, result, preview, ...upload }: Upload): Promise<boolean> {
    if (result !== null || preview === null) return false;
    try {
      const profile = await this.profileOf(upload);
      return (await this.imports.known(mode, Buffer.from(sha256, 'hex'), profile)) !== null;
    } catch (error) {
      if (error instanceof StatementRefusedError) return false;
      throw error;
    }
  }

  /**
   * Starts the import and waits up to `SEEN_MS`; it continues in the background.
   * @throws Refusal 404
   * @throws the error of an import that fails within that time: stored lines stay, and importing again adds the rest
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
    // The caller may no longer wait for the result.
    work.catch((error: unknown) => this.logger.error({ err: error }, 'import of an upload failed'));
    return work;
  }

  private async run(upload: Upload): Promise<void> {
    const { id, mode, name, owner } = upload;
    try {
      const profile = await this.profileOf(upload);
      const options = { mode, name, source: 'portal', broughtBy: owner, profile } as const;
      const result = await this.imports.import({ path: this.store.pathOf(id) }, options);
      await this.store.note({ ...upload, result, hasFailed: false });
    } catch (error) {
      // The import's own error is the one to log.
      await this.store.note({ ...upload, hasFailed: true }).catch(() => undefined);
      throw error;
    } finally {
      this.busy.delete(id);
    }
  }

  private async looked(upload: Upload): Promise<Upload> {
    try {
      const profile = await this.profileOf(upload);
      const preview = await previewFile({ path: this.store.pathOf(upload.id) }, { profile });
      if (preview.statements.some(({ account }) => account === null))
        throw new StatementRefusedError('The file does not name its account. Choose the account.');
      return { ...upload, preview };
    } catch (error) {
      if (!(error instanceof StatementRefusedError)) throw error;
      return { ...upload, refused: error.message };
    }
  }

  private async profileOf({
    profile,
    account,
  }: Pick<Upload, 'profile' | 'account'>): Promise<WrittenProfile | undefined> {
    if (profile === null) return undefined;
    const found = await this.profiles.find(profile);
    if (!found) throw new StatementRefusedError('The CSV profile no longer exists.');
    return { ...found, ownAccount: found.ownAccount ?? account };
  }
}

/** Message for a rejected file; other errors are rethrown. */
function sentenceOf(error: unknown): string {
  if (error instanceof UploadRefusedError) return error.message;
  const isCut = error instanceof Problem && error.code === 'malformed_request';
  if (isCut) return 'The upload was incomplete. Upload the file again.';
  throw error;
}
