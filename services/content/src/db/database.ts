import type { SharedTables } from "@octavo/shared/database/shared-tables";
import type {
  ChangeRequestTable,
  ContributorTable,
  MergeBaseTable,
  RequestedReviewerTable,
  ReviewTable,
} from "./tables/change-requests.js";
import type { CommentCountTable, CommentReactionTable, CommentTable } from "./tables/comments.js";
import type { ComputedAskTable, ComputedFileTable, ComputedResultTable } from "./tables/computed.js";
import type {
  GitOperationTable,
  GitReadingTable,
  GitRedirectTable,
  GitStateTable,
  GitSyncTable,
  ImportEntryTable,
  ImportFileTable,
} from "./tables/git.js";
import type { ContentImportTable } from "./tables/imports.js";
import type { OutlineTable, ReferencePendingTable, ReferenceTable } from "./tables/links.js";
import type {
  SearchPageTable,
  SearchPendingTable,
  SearchSectionTable,
  SearchWordTable,
} from "./tables/search.js";
import type {
  AudienceTable,
  CollectionTable,
  ContentGrantTable,
  DepartureTable,
  PersonTable,
  ShareKeyTable,
  SpaceTable,
} from "./tables/spaces.js";
import type { FileSpecificationTable, OpenAPISpecTable, OpenAPISpecVersionTable } from "./tables/specs.js";
import type { BodyTable, BranchTable, EntryTable, RevisionTable, StoredFileTable } from "./tables/store.js";

import type { GlossaryEntryTable, TranslatedSegmentTable, TranslationTable } from "./tables/translations.js";
import type { StorageUploadTable } from "./tables/uploads.js";

export interface Database extends SharedTables {
  computed_result: ComputedResultTable;
  computed_file: ComputedFileTable;
  computed_ask: ComputedAskTable;
  collection: CollectionTable;
  space: SpaceTable;
  content_grant: ContentGrantTable;
  departure: DepartureTable;
  audience: AudienceTable;
  share_key: ShareKeyTable;
  person: PersonTable;
  branch: BranchTable;
  revision: RevisionTable;
  entry: EntryTable;
  body: BodyTable;
  stored_file: StoredFileTable;
  storage_upload: StorageUploadTable;
  change_request: ChangeRequestTable;
  merge_base: MergeBaseTable;
  contributor: ContributorTable;
  review: ReviewTable;
  requested_reviewer: RequestedReviewerTable;
  comment: CommentTable;
  comment_count: CommentCountTable;
  comment_reaction: CommentReactionTable;
  search_page: SearchPageTable;
  search_pending: SearchPendingTable;
  search_section: SearchSectionTable;
  search_word: SearchWordTable;
  git_operation: GitOperationTable;
  git_reading: GitReadingTable;
  git_redirect: GitRedirectTable;
  git_state: GitStateTable;
  git_sync: GitSyncTable;
  content_import: ContentImportTable;
  import_file: ImportFileTable;
  import_entry: ImportEntryTable;
  reference: ReferenceTable;
  outline: OutlineTable;
  reference_pending: ReferencePendingTable;
  openapi_spec: OpenAPISpecTable;
  openapi_spec_version: OpenAPISpecVersionTable;
  file_specification: FileSpecificationTable;
  translation: TranslationTable;
  translated_segment: TranslatedSegmentTable;
  glossary_entry: GlossaryEntryTable;
}
