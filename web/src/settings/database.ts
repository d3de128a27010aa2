/** A list of rows in the browser's database, each with a key; where the browser keeps nothing, every question fails. */

export class Rows<Row extends { readonly key: string }> {
  constructor(
    private readonly database: string,
    private readonly store: string,
  ) {}

  get(key: string): Promise<Row | undefined> {
    return this.#done("readonly", (store) => store.get(key) as IDBRequest<Row | undefined>);
  }

  all(): Promise<Row[]> {
    return this.#done("readonly", (store) => store.getAll() as IDBRequest<Row[]>);
  }

  async put(row: Row): Promise<void> {
    await this.#done("readwrite", (store) => store.put(row));
  }

  async delete(key: string): Promise<void> {
    await this.#done("readwrite", (store) => store.delete(key));
  }

  /** What was asked for, as soon as all of it is stored. */
  async #done<T>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    const database = await this.#opened();
    try {
      const transaction = database.transaction(this.store, mode);
      const request = ask(transaction.objectStore(this.store));
      return await new Promise<T>((resolve, reject) => {
        transaction.oncomplete = () => resolve(request.result);
        transaction.onabort = () => reject(transaction.error ?? new Error("aborted"));
      });
    } finally {
      database.close();
    }
  }

  #opened(): Promise<IDBDatabase> {
    return new Promise((resolve, reject) => {
      const request = indexedDB.open(this.database, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(this.store, { keyPath: "key" });
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error("no database"));
    });
  }
}
